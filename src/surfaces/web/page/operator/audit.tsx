import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { gql } from "../graph.ts";
import { openResource } from "../resource.ts";
import { useAct } from "../ui/act.ts";
import { Copyable } from "../ui/copyable.tsx";
import { type Cursors, Pager } from "../ui/pager.tsx";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { type OperatorProps, showToOperator } from "./frame.tsx";

interface Entry {
  seq: number;
  at: string;
  actor: string;
  from: string;
  act: string;
  account: string | null;
  target: string | null;
  detail: unknown;
  result: string;
}

interface Proof {
  intact: boolean;
  lines: number;
  head: string;
  faultCount: number;
  faults: { place: string; message: string }[];
  notices: string[];
}

const pageSize = 50;

const trailQuery = gql`
  query Trail($account: ID, $since: String, $search: String, $before: Long, $first: Int!) {
    auditTrail(account: $account, since: $since, search: $search, before: $before, first: $first) {
      seq
      at
      actor
      from
      act
      account
      target
      detail
      result
    }
  }
`;

const proofQuery = gql`
  query Proof {
    auditProof {
      intact
      lines
      head
      faultCount
      faults {
        place
        message
      }
      notices
    }
  }
`;

/** Shows `/operator/audit`. */
export const show = (place: Element, root: URL): void => showToOperator(place, root, Audit);

const spans = [
  ["", "the whole trail"],
  ["1h", "1 hour"],
  ["24h", "24 hours"],
  ["7d", "7 days"],
  ["30d", "30 days"],
] as const;

function Audit({ graph }: OperatorProps): JSX.Element {
  const search = useSignal("");
  const account = useSignal("");
  const since = useSignal("");
  const cursors = useSignal<Cursors>([]);
  const page = useMemo(
    () =>
      openResource(graph, () => {
        const last = cursors.value.at(-1);
        return graph.request<{ auditTrail: Entry[] | null }>(trailQuery, {
          search: search.value,
          ...(account.value !== "" && { account: account.value }),
          ...(since.value !== "" && { since: since.value }),
          ...(last !== undefined && { before: Number(last) }),
          first: pageSize + 1,
        });
      }),
    [],
  );
  useEffect(() => page.close, [page]);
  const found = page.value.value?.auditTrail ?? [];
  const shown = found.slice(0, pageSize);
  const go = (next: Cursors): void => {
    cursors.value = next;
    void page.reload();
  };
  return (
    <>
      <ProofOf graph={graph} />
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <p>
          <label for="search">Who, from where, what</label>
          <input
            id="search"
            type="search"
            maxLength={200}
            value={search.value}
            onChange={({ currentTarget }) => {
              search.value = currentTarget.value;
              go([]);
            }}
          />
        </p>
        <p>
          <label for="account">Account</label>
          <input
            id="account"
            type="search"
            maxLength={63}
            value={account.value}
            onChange={({ currentTarget }) => {
              account.value = currentTarget.value;
              go([]);
            }}
          />
        </p>
        <p>
          <label for="since">In the last</label>
          <select
            id="since"
            value={since.value}
            onChange={({ currentTarget }) => {
              since.value = currentTarget.value;
              go([]);
            }}
          >
            {spans.map(([id, text]) => (
              <option value={id} key={id}>
                {text}
              </option>
            ))}
          </select>
        </p>
      </form>
      {shown.length === 0 ? <p role="status">No acts.</p> : <Entries entries={shown} />}
      <Pager
        cursors={cursors.value}
        pageInfo={{ hasNextPage: found.length > pageSize, endCursor: String(shown.at(-1)?.seq ?? "") }}
        onGo={go}
      />
      <p role="alert">{page.message.value}</p>
    </>
  );
}

const Entries = ({ entries }: { entries: readonly Entry[] }): JSX.Element => (
  <div class="scroll" role="region" aria-label="List of acts" tabIndex={0}>
    <table>
      <caption class="unseen">Acts</caption>
      <thead>
        <tr>
          <th scope="col" class="number">
            No.
          </th>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">From</th>
          <th scope="col">Act</th>
          <th scope="col">Account</th>
          <th scope="col">Result</th>
          <th scope="col">Detail</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.seq}>
            <th scope="row" class="number">
              {entry.seq}
            </th>
            <td>
              <Time at={entry.at} />
            </td>
            <td>
              <Text>{entry.actor}</Text>
            </td>
            <td>
              <Text>{entry.from}</Text>
            </td>
            <td>
              <code>{entry.act}</code>
            </td>
            <td>
              {entry.account ?? "–"}
              {entry.target === null ? null : (
                <>
                  <br />
                  <code>{entry.target}</code>
                </>
              )}
            </td>
            <td>{entry.result}</td>
            <td>
              <Text>{JSON.stringify(entry.detail)}</Text>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** The proof reads the whole trail, so it is made on request. */
function ProofOf({ graph }: Pick<OperatorProps, "graph">): JSX.Element {
  const proof = useSignal<Proof | undefined>(undefined);
  const { run, isBusy, message } = useAct();
  const verify = (): void =>
    void run(async () => {
      const answer = await graph.request<{ auditProof: Proof | null }>(proofQuery);
      proof.value = answer.auditProof ?? undefined;
    });
  return (
    <section aria-label="Proof">
      <p class="actions">
        <button class="primary" aria-disabled={isBusy.value} onClick={verify}>
          Verify the trail
        </button>
      </p>
      <div role="status">
        {proof.value === undefined ? null : (
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
      {proof.value === undefined ? null : (
        <Copyable title="Record the head elsewhere, and compare it later">{proof.value.head}</Copyable>
      )}
      <p role="alert">{message.value}</p>
    </section>
  );
}
