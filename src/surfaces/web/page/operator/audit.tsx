import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { type DataOf, gql } from "../graph.ts";
import { useAct } from "../ui/act.ts";
import { Copyable } from "../ui/copyable.tsx";
import { choiceFilter, searchFilter } from "../ui/filters.tsx";
import { type PageProps, showToOperator } from "../ui/frame.tsx";
import { defineList, pageOf, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";

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
    { title: "From", cell: ({ from }) => <Text>{from}</Text> },
    { title: "Act", cell: ({ act }) => <code>{act}</code> },
    {
      title: "Account",
      cell: ({ account, target }) => (
        <>
          {account ?? "–"}
          {target === null ? null : (
            <>
              <br />
              <code>{target}</code>
            </>
          )}
        </>
      ),
    },
    { title: "Result", cell: ({ result }) => result },
    { title: "Detail", cell: ({ detail }) => <Text>{JSON.stringify(detail)}</Text> },
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
    <section aria-label="Proof">
      <p class="actions">
        <button class="primary" aria-disabled={isBusy.value} onClick={verify}>
          Verify the trail
        </button>
      </p>
      <div role="status">
        {!proof.value ? null : (
          <>
            <p>
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
    </section>
  );
}
