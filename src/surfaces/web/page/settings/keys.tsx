import type { JSX } from "preact";
import { type DataOf, gql } from "../graph.ts";
import type { KeyWarning } from "../schema.d.ts";
import { showToOwner } from "../ui/frame.tsx";
import { KeyName, nameOfKey } from "../ui/key-name.tsx";
import { searchFilter, segmentFilter } from "../ui/filters.tsx";
import { Icon } from "../ui/icon.tsx";
import { defineList, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { FreePlan } from "../ui/plans.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import { Tag } from "../ui/tag.tsx";
import { Text } from "../ui/text.tsx";
import { EndDate, Time } from "../ui/time.tsx";
import { generate, revoke, revokeAll, rotate } from "./key-questions.tsx";

/** Shows `/settings/keys`. */
export const show = (place: Element, root: URL): void =>
  showToOwner(place, root, (page) => <ListView of={useList(page, () => keys)} />);

const states = { LIVE: "Live", EXPIRED: "Expired", REVOKED: "Revoked" };
const warnings = {
  NEVER_EXPIRES: { one: "never expires", many: "never expire" },
  UNUSED: { one: "was not used for 90 days", many: "were not used for 90 days" },
  EXPIRES_SOON: { one: "expires within 14 days", many: "expire within 14 days" },
};
const numbers = ["No key", "One key"];

type Key = NonNullable<DataOf<"Keys">["keysConnection"]>["nodes"][number];

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
          id name start state createdAt expiresAt revokedAt revokeReason lastUsedAt requestsLast24h requestsByHour
          warnings rotatedTo
        }
      }
    }
  `),
  filters: {
    search: searchFilter("Search by name or first characters", 200),
    state: segmentFilter("State", [
      ["", "All"],
      ["LIVE", states.LIVE],
      ["EXPIRED", states.EXPIRED],
      ["REVOKED", states.REVOKED],
    ]),
    // Its buttons are in the notice.
    warning: { ...segmentFilter<"" | KeyWarning>("Attention", [["", "All"]]), when: () => false },
  },
  variables: (chosen, after) => ({ ...chosen, after }),
  rows: ({ keysConnection }) => keysConnection?.nodes ?? [],
  idOf: ({ id }) => id,
  nameOf: (key) => nameOfKey(key),
  columns: [
    { title: "Key", cell: (key) => <KeyName of={key} /> },
    { title: "State", cell: (key) => <State of={key} /> },
    { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: "Expires", cell: (key) => <Expiry of={key} /> },
    {
      title: "Last used",
      cell: ({ lastUsedAt, warnings: found }) =>
        found.includes("UNUSED") ? (
          <Tag tone="warn">
            <Time at={lastUsedAt} none="not for 90 days" />
          </Tag>
        ) : (
          <Time at={lastUsedAt} none="not known" />
        ),
    },
    {
      title: "Calls in 24 h",
      isNumber: true,
      cell: ({ requestsLast24h, requestsByHour }) => (
        <>
          <Sparkline counts={requestsByHour ?? []} /> {requestsLast24h?.toLocaleString() ?? "–"}
        </>
      ),
    },
  ],
  actions: (key) => [
    key.state === "LIVE" &&
      key.rotatedTo === null && {
        text: "Rotate",
        icon: "again",
        isPlain: true,
        label: `Rotate ${labelOf(key)}`,
        ask: () => rotate(key),
      },
    key.state === "LIVE" && {
      text: "Revoke …",
      icon: "delete",
      label: `Revoke ${labelOf(key)}`,
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
  empty: {
    icon: "crypto",
    text: "A key lets a script, a CI job or an agent call this server in the name of the account. Each can have its own: you see what it does, and can revoke it within a second.",
  },
  pageInfo: ({ keysConnection }) => keysConnection?.pageInfo,
  account: ({ viewer }) => viewer.account,
  what: "keys",
  main: { text: "Generate New Key", onClick: ({ ask }) => ask(generate()) },
  head: (_, { data }) => (data?.viewer.account?.plan === "FREE" ? <FreePlan what="API keys" /> : null),
  notice: ({ select, values }, { keysConnection }) => {
    const found = keysConnection?.warnings ?? [];
    const { warning: chosen } = values.value;
    if (found.length === 0 && chosen === "") return null;
    return (
      <div class="banner warn">
        <Icon name="warn" />
        <strong>Needs attention</strong>
        {found.map(({ warning, keys: count }) => {
          const what = warnings[warning][count === 1 ? "one" : "many"];
          const text = count === 1 ? "Show it" : "Show them";
          return (
            <span class="buttons" key={warning}>
              {numbers[count] ?? `${count.toLocaleString()} keys`} {what}.
              <button
                class="small"
                aria-label={`${text}: ${what}`}
                aria-pressed={warning === chosen}
                onClick={() => select({ warning })}
              >
                {text}
              </button>
            </span>
          );
        })}
        {chosen === "" ? null : (
          <button class="small end" onClick={() => select({ warning: "" })}>
            Show all keys
          </button>
        )}
      </div>
    );
  },
  beside: ({ ask, page }, { data, rows }) =>
    rows.some(({ state }) => state === "LIVE") ? (
      <button
        type="button"
        class="quiet small danger end"
        onClick={() => ask(revokeAll(data?.viewer.account?.name ?? "", page.root))}
      >
        Revoke all keys …
      </button>
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

/** Two keys may have the same name. */
const labelOf = (key: Key): string =>
  key.name === null ? nameOfKey(key) : `${nameOfKey(key)}, ${key.start}`;

const State = ({ of: { state, rotatedTo, revokeReason } }: { of: Key }): JSX.Element => (
  <>
    <Tag tone={state === "LIVE" ? "ok" : "neutral"}>{states[state]}</Tag>
    {state === "LIVE" && rotatedTo !== null ? (
      <>
        {" "}
        <Tag tone="neutral">replaced</Tag>
      </>
    ) : null}
    {revokeReason === null ? null : (
      <span class="reason muted small">
        <Text>{revokeReason}</Text>
      </span>
    )}
  </>
);

const Expiry = ({ of: { revokedAt, expiresAt, warnings: found } }: { of: Key }): JSX.Element => {
  if (revokedAt !== null) return <>–</>;
  const date = <EndDate at={expiresAt} />;
  return found.some((warning) => warning !== "UNUSED") ? <Tag tone="warn">{date}</Tag> : date;
};

/** Changes of keys by others. */
const changesSubscription = gql(`
  subscription KeyEvents {
    events(types: [KEY_ISSUED, KEY_ROTATED, KEY_REVOKED, KEY_EXPIRING, ACCOUNT_UPDATED]) { id }
  }
`);
const usedSubscription = gql(`subscription Used { usage { used } }`);
