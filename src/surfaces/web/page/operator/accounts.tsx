import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { gql } from "../graph.ts";
import type { Plan } from "../schema.d.ts";
import { searchFilter, segmentFilter } from "../ui/filters.tsx";
import { type PageProps, showToOperator } from "../ui/frame.tsx";
import { defineList, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { ShareBar } from "../ui/share-bar.tsx";
import { Tag } from "../ui/tag.tsx";
import { Text, toVisible } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { AccountKeys } from "./account-keys.tsx";
import { change, create, disable, linkTo, remove } from "./account-questions.tsx";

/** Shows `/operator/accounts`. */
export const show = (place: Element, root: URL): void => showToOperator(place, root, Accounts);

function Accounts(page: PageProps): JSX.Element {
  const open = useSignal("");
  const list = useList(page, () =>
    accountList(
      (name) => (open.value = name),
      () => open.value,
    ),
  );
  return (
    <>
      <ListView of={list} />
      {open.value === "" ? null : (
        <AccountKeys key={open.value} page={page} name={open.value} onClose={() => (open.value = "")} />
      )}
    </>
  );
}

const accountList = (openKeys: (name: string) => void, isOpen: () => string) =>
  defineList({
    label: "List of accounts",
    caption: "Accounts",
    document: gql(`
      query Accounts($search: String, $plan: Plan, $after: ID) {
        accountsConnection(search: $search, plan: $plan, first: 50, after: $after) {
          totalCount
          pageInfo { hasNextPage endCursor }
          nodes { name plan limit disabled createdAt liveKeys people quota { used remaining } }
        }
      }
    `),
    filters: {
      search: searchFilter("Search accounts", 200),
      plan: segmentFilter<"" | Plan>("Plan", [
        ["", "All"],
        ["FREE", "free"],
        ["PRO", "pro"],
        ["TEAM", "team"],
      ]),
    },
    variables: (chosen, after) => ({ ...chosen, after }),
    rows: ({ accountsConnection }) => accountsConnection?.nodes ?? [],
    idOf: ({ name }) => name,
    columns: [
      {
        title: "Account",
        cell: ({ name }) => name,
        sortBy: ({ name }) => name,
      },
      {
        title: "Plan",
        sortBy: ({ plan }) => plan,
        cell: ({ plan, disabled }) => (
          <>
            <Tag tone={plan === "FREE" ? "neutral" : "accent"}>{plan.toLowerCase()}</Tag>
            {disabled ? <span class="badge">disabled</span> : null}
          </>
        ),
      },
      {
        title: "Used this hour",
        isNumber: true,
        cell: ({ quota }) => quota?.used.toLocaleString() ?? "–",
        sortBy: ({ quota }) => quota?.used,
      },
      {
        title: "Share",
        isPicture: true,
        cell: ({ quota, limit }) => quota && <ShareBar part={quota.used} whole={limit} isLimit />,
      },
      {
        title: "Limit",
        isNumber: true,
        cell: ({ limit }) => limit.toLocaleString(),
        sortBy: ({ limit }) => limit,
      },
      {
        title: "Keys",
        isNumber: true,
        cell: ({ liveKeys }) => liveKeys?.toLocaleString() ?? "–",
        sortBy: ({ liveKeys }) => liveKeys,
      },
      {
        title: "People",
        cell: ({ people }) =>
          people === null || people.length === 0 ? (
            <span class="muted">–</span>
          ) : (
            <span class="cut" title={toVisible(people.join(", "))}>
              <Text>{people.join(", ")}</Text>
            </span>
          ),
      },
      {
        title: "Created",
        cell: ({ createdAt }) => <Time at={createdAt} />,
        sortBy: ({ createdAt }) => createdAt,
      },
    ],
    nameOf: ({ name }) => name,
    open: ({ name }) => openKeys(name),
    openLabel: ({ name }) => `Keys of ${name}`,
    isOpen: ({ name }) => name === isOpen(),
    isDense: true,
    actions: (account) => {
      const { name, disabled } = account;
      return [
        {
          text: "Sign-in link",
          isPlain: true,
          icon: "link",
          label: `Sign-in link for ${name}`,
          ask: () => linkTo(name),
        },
        { text: "Keys", icon: "crypto", label: `Keys of ${name}`, open: () => openKeys(name) },
        {
          text: "Plan and limit …",
          icon: "gear",
          label: `Plan and limit of ${name}`,
          ask: () => change(account),
        },
        {
          text: "Reset the quota",
          icon: "again",
          label: `Reset the quota of ${name}`,
          done: `The quota of ${name} begins anew.`,
          act: (graph) => graph.request(resetMutation, { name }),
        },
        disabled
          ? {
              text: "Enable",
              icon: "check",
              label: `Enable ${name}`,
              act: (graph) => graph.request(enableMutation, { name }),
            }
          : { text: "Disable …", icon: "stop", label: `Disable ${name}`, ask: () => disable(name) },
        {
          text: "Delete …",
          icon: "delete",
          label: `Delete ${name}`,
          isDanger: true,
          ask: () => remove(name),
        },
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
    empty: {
      icon: "person",
      text: "An account has keys, a quota and settings of its own: one for each team is a good beginning. Its owner signs in with a link that you create here.",
    },
    main: { text: "Create an account", onClick: ({ ask }) => ask(create) },
  });

const enableMutation = gql(`mutation Enable($name: ID!) { enableAccount(name: $name) { name } }`);
const resetMutation = gql(`mutation ResetLimits($name: ID!) { resetLimits(account: $name) { name } }`);
