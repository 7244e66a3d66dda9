import type { JSX } from "preact";
import { gql } from "../graph.ts";
import { defineQuestion } from "../ui/ask.tsx";
import type { PageProps } from "../ui/frame.tsx";
import { KeyName, nameOfKey } from "../ui/key-name.tsx";
import { defineList, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { Time } from "../ui/time.tsx";

/** The keys of an account, which the operator can revoke. */
export const AccountKeys = ({ page, name }: { page: PageProps; name: string }): JSX.Element => (
  <section aria-labelledby="keys-of">
    <h2 id="keys-of">Keys of {name}</h2>
    <ListView of={useList(page, () => keysOf(name))} />
  </section>
);

const keysOf = (account: string) =>
  defineList({
    label: "List of keys",
    caption: "Keys",
    document: gql(`
      query KeysOf($name: ID!, $after: ID) {
        keysConnection(account: $name, first: 50, after: $after) {
          totalCount
          pageInfo { hasNextPage endCursor }
          nodes { id name start state lastUsedAt requestsLast24h }
        }
      }
    `),
    variables: (_, after) => ({ name: account, after }),
    rows: ({ keysConnection }) => keysConnection?.nodes ?? [],
    idOf: ({ id }) => id,
    columns: [
      { title: "Key", cell: (key) => <KeyName of={key} /> },
      { title: "State", cell: ({ state }) => state.toLowerCase() },
      { title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none="not known" /> },
      {
        title: "Calls in 24 h",
        isNumber: true,
        cell: ({ requestsLast24h }) => requestsLast24h?.toLocaleString() ?? "–",
      },
    ],
    actions: ({ id, state, ...key }) => [
      state === "LIVE" && {
        text: "Revoke",
        label: `Revoke ${nameOfKey(key)}`,
        isDanger: true,
        ask: () =>
          defineQuestion({
            title: "Revoke a key",
            text: (
              <p>
                <code>{key.start}…</code> of {account} stops at once and for good.
              </p>
            ),
            action: "Revoke",
            isDanger: true,
            act: ({ graph }) => graph.request(revokeMutation, { id }),
          }),
      },
    ],
    status: ({ data }) => (data?.keysConnection?.totalCount === 0 ? "It has no keys." : undefined),
    pageInfo: ({ keysConnection }) => keysConnection?.pageInfo,
    isOnce: true,
  });

const revokeMutation = gql(`
  mutation RevokeKeyOf($id: ID!) { revokeKey(id: $id, reason: "revoked by the operator") { id } }
`);
