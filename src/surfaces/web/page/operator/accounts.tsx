import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { gql } from "../graph.ts";
import { searchFilter } from "../ui/filters.tsx";
import { type PageProps, showToOperator } from "../ui/frame.tsx";
import { defineList, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { Time } from "../ui/time.tsx";
import { AccountKeys } from "./account-keys.tsx";
import { change, create, disable, linkTo, remove } from "./account-questions.tsx";

/** Shows `/operator/accounts`. */
export const show = (place: Element, root: URL): void => showToOperator(place, root, Accounts);

function Accounts(page: PageProps): JSX.Element {
  const open = useSignal("");
  const list = useList(page, () => accountList((name) => (open.value = name)));
  return (
    <>
      <ListView of={list} />
      {open.value === "" ? null : <AccountKeys key={open.value} page={page} name={open.value} />}
    </>
  );
}

const accountList = (openKeys: (name: string) => void) =>
  defineList({
    label: "List of accounts",
    caption: "Accounts",
    document: gql(`
      query Accounts($search: String, $after: ID) {
        accountsConnection(search: $search, first: 50, after: $after) {
          totalCount
          pageInfo { hasNextPage endCursor }
          nodes { name plan limit disabled createdAt quota { used remaining } }
        }
      }
    `),
    filters: { search: searchFilter("Search", 200) },
    variables: (chosen, after) => ({ ...chosen, after }),
    rows: ({ accountsConnection }) => accountsConnection?.nodes ?? [],
    idOf: ({ name }) => name,
    columns: [
      {
        title: "Account",
        cell: ({ name, disabled }) => (
          <>
            {name}
            {disabled ? <span class="badge">disabled</span> : null}
          </>
        ),
      },
      { title: "Plan", cell: ({ plan }) => plan.toLowerCase() },
      {
        title: "Used this hour",
        isNumber: true,
        cell: ({ quota }) => quota?.used.toLocaleString() ?? "–",
      },
      { title: "Limit", isNumber: true, cell: ({ limit }) => limit.toLocaleString() },
      { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
    ],
    actions: (account) => {
      const { name, disabled } = account;
      return [
        { text: "Link", label: `Link to sign in to ${name}`, ask: () => linkTo(name) },
        { text: "Keys", label: `Keys of ${name}`, open: () => openKeys(name) },
        { text: "Change", label: `Change ${name}`, ask: () => change(account) },
        {
          text: "Reset quota",
          label: `Reset quota of ${name}`,
          act: (graph) => graph.request(resetMutation, { name }),
        },
        disabled
          ? {
              text: "Enable",
              label: `Enable ${name}`,
              act: (graph) => graph.request(enableMutation, { name }),
            }
          : { text: "Disable", label: `Disable ${name}`, ask: () => disable(name) },
        { text: "Delete", label: `Delete ${name}`, isDanger: true, ask: () => remove(name) },
      ];
    },
    status: ({ data }) => {
      const count = data?.accountsConnection?.totalCount;
      return count === undefined
        ? undefined
        : `${count.toLocaleString()} ${count === 1 ? "account" : "accounts"}`;
    },
    pageInfo: ({ accountsConnection }) => accountsConnection?.pageInfo,
    pagerNames: ["Back", "Next"],
    main: { text: "Create an account", onClick: ({ ask }) => ask(create) },
  });

const enableMutation = gql(`mutation Enable($name: ID!) { enableAccount(name: $name) { name } }`);
const resetMutation = gql(`mutation ResetLimits($name: ID!) { resetLimits(account: $name) { name } }`);
