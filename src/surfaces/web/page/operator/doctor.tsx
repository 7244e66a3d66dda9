import { counted } from "../../../../lib/counted.ts";
import type { JSX } from "preact";
import { type DataOf, gql } from "../graph.ts";
import { type PageProps, showToOperator } from "../ui/frame.tsx";
import { defineList, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { Table } from "../ui/table.tsx";
import { Tag } from "../ui/tag.tsx";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";

/** Shows `/operator/doctor`. */
export const show = (place: Element, root: URL): void => showToOperator(place, root, Doctor);

function Doctor(page: PageProps): JSX.Element {
  const list = useList(page, () => findings);
  return (
    <ListView of={list}>
      <Nodes nodes={list.resource.value.value?.nodes ?? []} />
    </ListView>
  );
}

const levels = { ERROR: "Error", WARNING: "Warning", NOTE: "Note", OK: "Ok" };
const tones = { ERROR: "bad", WARNING: "warn", NOTE: "accent", OK: "ok" } as const;
const order = Object.keys(levels);

const findings = defineList({
  label: "Findings",
  document: gql(`
    query Doctor {
      nodes { id version seenAt current }
      doctor { check level message action }
    }
  `),
  rows: ({ doctor }) =>
    (doctor ?? []).toSorted((one, other) => order.indexOf(one.level) - order.indexOf(other.level)),
  idOf: ({ check, message }) => `${check} ${message}`,
  columns: [
    {
      title: "Level",
      cell: ({ level }) => <Tag tone={tones[level]}>{levels[level]}</Tag>,
    },
    { title: "Check", cell: ({ check }) => <code>{check}</code> },
    {
      title: "Finding",
      cell: ({ message, action }) => (
        <>
          <Text>{message}</Text>
          {action === null ? null : (
            <>
              <br />
              <strong>
                <Text>{action}</Text>
              </strong>
            </>
          )}
        </>
      ),
    },
  ],
  status: ({ rows }) => {
    const count = (level: keyof typeof levels): number => rows.filter((one) => one.level === level).length;
    return rows.length === 0
      ? "Examining …"
      : `${counted(rows.length, "check")}: ${counted(count("ERROR"), "error")}, ${counted(count("WARNING"), "warning")}, ${counted(count("NOTE"), "note")}.`;
  },
  main: { text: "Examine again", icon: "again", onClick: ({ resource }) => void resource.reload() },
  isOnce: true,
});

type Node = NonNullable<DataOf<"Doctor">["nodes"]>[number];

/** The servers of this installation; different releases share a store only during an upgrade. */
const Nodes = ({ nodes }: { nodes: readonly Node[] }): JSX.Element | null =>
  nodes.length === 0 ? null : (
    <section aria-labelledby="nodes">
      <h2 id="nodes">Nodes</h2>
      <Table
        label="List of nodes"
        caption="Nodes"
        rows={nodes}
        idOf={({ id }) => id}
        columns={[
          {
            title: "Node",
            cell: ({ id, current }) => (
              <>
                <code>{id}</code>
                {current ? " (this one)" : null}
              </>
            ),
          },
          { title: "Release", cell: ({ version }) => version ?? "too old to report it" },
          { title: "Last report", cell: ({ seenAt }) => <Time at={seenAt} /> },
        ]}
      />
    </section>
  );
