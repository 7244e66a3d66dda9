import type { JSX } from "preact";
import { gql } from "../graph.ts";
import { defineQuestion } from "../ui/ask.tsx";
import { Drawer } from "../ui/drawer.tsx";
import type { PageProps } from "../ui/frame.tsx";
import { KeyName, nameOfKey } from "../ui/key-name.tsx";
import { defineList, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { Tag } from "../ui/tag.tsx";
import { Time } from "../ui/time.tsx";

/** The keys of an account, which the operator can revoke, beside the list of accounts. */
export const AccountKeys = ({
  page,
  name,
  onClose,
}: {
  page: PageProps;
  name: string;
  onClose(): void;
}): JSX.Element => (
  <Drawer title={`Keys of ${name}`} onClose={onClose}>
    <ListView of={useList(page, () => keysOf(name))} />
  </Drawer>
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
      {
        title: "State",
        cell: ({ state }) => <Tag tone={state === "LIVE" ? "ok" : "neutral"}>{state.toLowerCase()}</Tag>,
      },
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
        label: `Revoke ${nameOfKey(key)}, ${key.start}`,
        isDanger: true,
        ask: () =>
          defineQuestion({
            title: "Revoke a key",
            text: (
              <p>
                <KeyName of={key} /> with the id <code>{id}</code>, of {account}, stops at once and for good.
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
