import { type Signal, signal } from "@preact/signals";
import { render, type JSX } from "preact";
import { type Graph, openGraph } from "../graph.ts";
import { openResource, type Resource } from "../resource.ts";
import { HindranceNotice } from "../ui/hindrance-notice.tsx";
import { Pager } from "../ui/pager.tsx";
import { FreePlan } from "../ui/plans.tsx";
import { type Asked, KeyDialogs } from "./key-dialogs.tsx";
import { KeyTable, warnings } from "./key-table.tsx";
import {
  changesSubscription,
  type Key,
  type KeysAnswer,
  keysQuery,
  type Selection,
  toVariables,
  usedSubscription,
  type Warning,
} from "./keys-api.ts";

interface Page {
  graph: Graph;
  root: URL;
  list: Resource<KeysAnswer>;
  selection: Signal<Selection>;
  asked: Signal<Asked | undefined>;
}

/** Shows `/settings/keys`. */
export function show(place: Element, root: URL): void {
  const graph = openGraph(root);
  const selection = signal<Selection>({ search: "", state: "", warning: "", cursors: [] });
  const list = openResource(graph, () => graph.request<KeysAnswer>(keysQuery, toVariables(selection.value)));
  const asked = signal<Asked | undefined>(undefined);
  render(<Keys graph={graph} root={root} list={list} selection={selection} asked={asked} />, place);

  let isAccount = false;
  list.value.subscribe((answer) => {
    // The operator's session has no usage of its own.
    if (isAccount || !answer?.viewer.account) return;
    isAccount = true;
    graph.subscribe(changesSubscription, {}, list.refresh);
    let used: number | undefined;
    graph.subscribe<{ usage: { used: number } }>(usedSubscription, {}, ({ usage }) => {
      if (used !== undefined && used !== usage.used) list.refresh();
      used = usage.used;
    });
  });
}

function Keys(page: Page): JSX.Element {
  const { graph, root, list, selection, asked } = page;
  const answer = list.value.value;
  const account = answer?.viewer.account;
  // A secret stays, whoever signs in elsewhere in this browser.
  const dialog = account || asked.value?.kind === "secret" ? asked.value : undefined;
  const select = (changes: Partial<Selection>): void => {
    selection.value = { ...selection.value, cursors: [], ...changes };
    void list.reload();
  };
  return (
    <>
      <HindranceNotice graph={graph} root={root} />
      {account === null ? (
        <p class="lead">The session of the operator belongs to no account, so it has no keys.</p>
      ) : account?.plan === "FREE" ? (
        <FreePlan what="API keys" />
      ) : (
        <p class="actions">
          <button
            class="primary"
            aria-disabled={account === undefined}
            onClick={() => {
              if (account !== undefined) asked.value = { kind: "generate" };
            }}
          >
            Generate New Key
          </button>
        </p>
      )}
      {answer?.keysConnection && account ? (
        <KeyList
          connection={answer.keysConnection}
          selection={selection.value}
          onSelect={select}
          onAsk={(next) => (asked.value = next)}
        />
      ) : null}
      <p role="alert">{list.message.value}</p>
      {dialog === undefined ? null : (
        <KeyDialogs
          key={dialog.kind}
          asked={dialog}
          graph={graph}
          root={root}
          account={account?.name ?? ""}
          onAsk={(next) => {
            asked.value = next;
            void list.reload();
          }}
        />
      )}
    </>
  );
}

interface KeyListProps {
  connection: NonNullable<KeysAnswer["keysConnection"]>;
  selection: Selection;
  onSelect(changes: Partial<Selection>): void;
  onAsk(asked: Asked): void;
}

function KeyList({ connection, selection, onSelect, onAsk }: KeyListProps): JSX.Element {
  const { nodes, pageInfo, totalCount } = connection;
  const isFiltered = selection.search !== "" || selection.state !== "" || selection.warning !== "";
  return (
    <>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <p>
          <label for="search">Search</label>
          <input
            id="search"
            type="search"
            maxLength={200}
            value={selection.search}
            onChange={({ currentTarget }) => onSelect({ search: currentTarget.value })}
          />
        </p>
        <p>
          <label for="state">State</label>
          <select
            id="state"
            value={selection.state}
            onChange={({ currentTarget }) => onSelect({ state: currentTarget.value as "" | Key["state"] })}
          >
            <option value="">All</option>
            <option value="LIVE">Live</option>
            <option value="EXPIRED">Expired</option>
            <option value="REVOKED">Revoked</option>
          </select>
        </p>
        <p>
          <label for="warning">Attention</label>
          <select
            id="warning"
            value={selection.warning}
            onChange={({ currentTarget }) => onSelect({ warning: currentTarget.value as "" | Warning })}
          >
            <option value="">All keys</option>
            {Object.entries(warnings).map(([id, text]) => (
              <option value={id} key={id}>
                {text}
              </option>
            ))}
          </select>
        </p>
      </form>
      <p role="status">
        {totalCount === 0
          ? isFiltered
            ? "No key matches."
            : "This account has no keys yet."
          : `${totalCount.toLocaleString()} ${totalCount === 1 ? "key" : "keys"}`}
      </p>
      {connection.warnings.length === 0 ? null : (
        <p>
          <strong>Needs attention:</strong> {attentionOf(connection.warnings)}
        </p>
      )}
      {totalCount === 0 ? null : <KeyTable keys={nodes} onAsk={onAsk} />}
      <Pager cursors={selection.cursors} pageInfo={pageInfo} onGo={(cursors) => onSelect({ cursors })} />
      {nodes.some(({ state }) => state === "LIVE") ? (
        <p class="actions">
          <button class="danger" onClick={() => onAsk({ kind: "revoke-all" })}>
            Revoke all keys
          </button>
        </p>
      ) : null}
    </>
  );
}

/** The warnings about all keys in a few words. */
const attentionOf = (counts: readonly { warning: Warning; keys: number }[]): string =>
  counts.map(({ warning, keys }) => `${warnings[warning]}: ${keys.toLocaleString()}`).join(" · ");
