import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { type DataOf, gql } from "../graph.ts";
import { useAct } from "../ui/act.ts";
import { Copyable } from "../ui/copyable.tsx";
import { choiceFilter, searchFilter } from "../ui/filters.tsx";
import { type PageProps, showToOperator } from "../ui/frame.tsx";
import { defineList, pageOf, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { Icon } from "../ui/icon.tsx";
import { Tag } from "../ui/tag.tsx";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { toLines, toWords } from "./act-words.ts";

/** Shows `/operator/audit`. */
export const show = (place: Element, root: URL): void =>
  showToOperator(place, root, (page) => (
    <>
      <ProofOf graph={page.graph} />
      <ListView of={useList(page, () => trail)} />
    </>
  ));

const pageSize = 50;

const trail = defineList({
  label: "List of acts",
  caption: "Acts",
  document: gql(`
    query Trail($account: ID, $since: String, $search: String, $before: Long, $first: Int!) {
      auditTrail(account: $account, since: $since, search: $search, before: $before, first: $first) {
        seq at actor from act account target detail result
      }
    }
  `),
  filters: {
    search: searchFilter("Who, from where, what", 200),
    account: searchFilter("Account", 63),
    since: choiceFilter("In the last", [
      ["", "the whole trail"],
      ["1h", "1 hour"],
      ["24h", "24 hours"],
      ["7d", "7 days"],
      ["30d", "30 days"],
    ]),
  },
  variables: (chosen, after) => ({
    ...chosen,
    first: pageSize + 1,
    before: after === undefined ? undefined : Number(after),
  }),
  rows: ({ auditTrail }) => auditTrail?.slice(0, pageSize) ?? [],
  idOf: ({ seq }) => seq,
  columns: [
    { title: "No.", isNumber: true, cell: ({ seq }) => seq },
    { title: "When", cell: ({ at }) => <Time at={at} /> },
    { title: "Who", cell: ({ actor }) => <Text>{actor}</Text> },
    {
      title: "Act",
      cell: ({ act, detail }) => (
        <>
          <strong title={act}>{toWords(act)}</strong>
          {toLines(detail).map((line) => (
            <div class="muted small" key={line}>
              <Text>{line}</Text>
            </div>
          ))}
        </>
      ),
    },
    {
      title: "Account",
      cell: ({ account, target }) => (
        <>
          {account ?? "–"}
          {target === null ? null : (
            <div>
              <code class="muted">{target}</code>
            </div>
          )}
        </>
      ),
    },
    { title: "From", cell: ({ from }) => <Text>{from}</Text> },
    {
      title: "Result",
      cell: ({ result }) => <Tag tone={result === "done" ? "ok" : "bad"}>{result.replaceAll("_", " ")}</Tag>,
    },
  ],
  status: ({ rows }) => (rows.length === 0 ? "No acts." : undefined),
  pageInfo: ({ auditTrail }) => pageOf(auditTrail ?? [], pageSize, ({ seq }) => String(seq)),
});

const proofQuery = gql(`
  query Proof { auditProof { intact lines head faultCount faults { place message } notices } }
`);

/** The proof reads the whole trail, so it is made on request. */
function ProofOf({ graph }: Pick<PageProps, "graph">): JSX.Element {
  const proof = useSignal<DataOf<"Proof">["auditProof"] | undefined>(undefined);
  const { run, isBusy, message } = useAct();
  const verify = (): void =>
    void run(async () => {
      proof.value = (await graph.request(proofQuery, {})).auditProof ?? undefined;
    });
  return (
    <>
      <p class="page-action">
        <button class="primary" aria-disabled={isBusy.value} onClick={verify}>
          <Icon name="shield" /> Verify the trail
        </button>
      </p>
      <div role="status" class="second">
        {!proof.value ? null : (
          <>
            <p class={proof.value.intact ? "banner ok" : "banner bad"}>
              <Icon name={proof.value.intact ? "ok" : "bad"} />
              {proof.value.intact
                ? `The trail is whole: ${proof.value.lines.toLocaleString()} lines, each with the hash of the one before it.`
                : `${proof.value.faultCount.toLocaleString()} of ${proof.value.lines.toLocaleString()} lines do not fit: the trail was changed.`}
            </p>
            {proof.value.faults.map(({ place, message: fault }) => (
              <p class="notice" key={place}>
                {place}: {fault}
              </p>
            ))}
            {proof.value.notices.map((notice) => (
              <p key={notice}>{notice}</p>
            ))}
          </>
        )}
      </div>
      {!proof.value ? null : (
        <Copyable title="Record the head elsewhere, and compare it later">{proof.value.head}</Copyable>
      )}
      <p role="alert">{message.value}</p>
    </>
  );
}
