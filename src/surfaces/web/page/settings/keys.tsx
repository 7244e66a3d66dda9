import { gql } from "../graph.ts";
import { showToOwner } from "../ui/frame.tsx";
import { KeyName, nameOfKey } from "../ui/key-name.tsx";
import { choiceFilter, searchFilter } from "../ui/filters.tsx";
import { defineList, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { FreePlan } from "../ui/plans.tsx";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { generate, revoke, revokeAll, rotate } from "./key-questions.tsx";

/** Shows `/settings/keys`. */
export const show = (place: Element, root: URL): void =>
  showToOwner(place, root, (page) => <ListView of={useList(page, () => keys)} />);

const states = { LIVE: "Live", EXPIRED: "Expired", REVOKED: "Revoked" };
const warnings = {
  NEVER_EXPIRES: "never expires",
  UNUSED: "unused for 90 days",
  EXPIRES_SOON: "expires within 14 days",
};

const keys = defineList({
  label: "API keys",
  document: gql(`
    query Keys($search: String, $state: KeyState, $warning: KeyWarning, $after: ID) {
      viewer { account { name plan } }
      keysConnection(search: $search, state: $state, warning: $warning, first: 100, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        warnings { warning keys }
        nodes {
          id name start state createdAt expiresAt revokedAt revokeReason lastUsedAt requestsLast24h
          warnings rotatedTo
        }
      }
    }
  `),
  filters: {
    search: searchFilter("Search", 200),
    state: choiceFilter("State", [
      ["", "All"],
      ["LIVE", states.LIVE],
      ["EXPIRED", states.EXPIRED],
      ["REVOKED", states.REVOKED],
    ]),
    warning: choiceFilter("Attention", [
      ["", "All keys"],
      ["NEVER_EXPIRES", warnings.NEVER_EXPIRES],
      ["UNUSED", warnings.UNUSED],
      ["EXPIRES_SOON", warnings.EXPIRES_SOON],
    ]),
  },
  variables: (chosen, after) => ({ ...chosen, after }),
  rows: ({ keysConnection }) => keysConnection?.nodes ?? [],
  idOf: ({ id }) => id,
  columns: [
    { title: "Key", cell: (key) => <KeyName of={key} /> },
    {
      title: "State",
      cell: ({ state, rotatedTo, revokeReason, warnings: found }) => (
        <>
          {states[state]}
          {state === "LIVE" && rotatedTo !== null ? ", replaced" : null}
          {revokeReason === null ? null : (
            <>
              : <Text>{revokeReason}</Text>
            </>
          )}
          {found.map((warning) => (
            <span class="badge" key={warning}>
              {warnings[warning]}
            </span>
          ))}
        </>
      ),
    },
    { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: "Expires",
      cell: ({ revokedAt, expiresAt }) => (revokedAt === null ? <Time at={expiresAt} /> : "–"),
    },
    { title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none="not known" /> },
    {
      title: "Calls in 24 h",
      isNumber: true,
      cell: ({ requestsLast24h }) => requestsLast24h?.toLocaleString() ?? "–",
    },
  ],
  actions: (key) => [
    key.state === "LIVE" &&
      key.rotatedTo === null && { text: "Rotate", label: `Rotate ${nameOfKey(key)}`, ask: () => rotate(key) },
    key.state === "LIVE" && {
      text: "Revoke",
      label: `Revoke ${nameOfKey(key)}`,
      isDanger: true,
      ask: () => revoke(key),
    },
  ],
  status: ({ data, values }) => {
    const count = data?.keysConnection?.totalCount;
    if (count === undefined) return undefined;
    if (count > 0) return `${count.toLocaleString()} ${count === 1 ? "key" : "keys"}`;
    return Object.values(values).some(Boolean) ? "No key matches." : "This account has no keys yet.";
  },
  pageInfo: ({ keysConnection }) => keysConnection?.pageInfo,
  account: ({ viewer }) => viewer.account,
  what: "keys",
  main: { text: "Generate New Key", onClick: ({ ask }) => ask(generate()) },
  head: (_, { data }) => (data?.viewer.account?.plan === "FREE" ? <FreePlan what="API keys" /> : null),
  notice: ({ keysConnection }) => {
    const found = keysConnection?.warnings ?? [];
    return found.length === 0 ? null : (
      <p>
        <strong>Needs attention:</strong>{" "}
        {found
          .map(({ warning, keys: count }) => `${warnings[warning]}: ${count.toLocaleString()}`)
          .join(" · ")}
      </p>
    );
  },
  foot: ({ ask, page }, { data, rows }) =>
    rows.some(({ state }) => state === "LIVE") ? (
      <p class="actions">
        <button class="danger" onClick={() => ask(revokeAll(data?.viewer.account?.name ?? "", page.root))}>
          Revoke all keys
        </button>
      </p>
    ) : null,
  live: ({ resource, page: { graph } }) => {
    let isAccount = false;
    resource.value.subscribe((answer) => {
      // The operator's session has no usage of its own.
      if (isAccount || !answer?.viewer.account) return;
      isAccount = true;
      graph.subscribe(changesSubscription, {}, resource.refresh);
      let used: number | undefined;
      graph.subscribe(usedSubscription, {}, ({ usage }) => {
        if (used !== undefined && used !== usage.used) resource.refresh();
        used = usage.used;
      });
    });
  },
});

/** Changes of keys by others. */
const changesSubscription = gql(`
  subscription KeyEvents {
    events(types: [KEY_ISSUED, KEY_ROTATED, KEY_REVOKED, KEY_EXPIRING, ACCOUNT_UPDATED]) { id }
  }
`);
const usedSubscription = gql(`subscription Used { usage { used } }`);
