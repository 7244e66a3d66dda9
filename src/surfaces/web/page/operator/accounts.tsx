import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Graph } from "../graph.ts";
import { openResource } from "../resource.ts";
import { useAct } from "../ui/act.ts";
import { type Cursors, Pager } from "../ui/pager.tsx";
import { Time } from "../ui/time.tsx";
import { AccountDialogs, type Asked } from "./account-dialogs.tsx";
import { AccountKeys } from "./account-keys.tsx";
import {
  type Account,
  type AccountsAnswer,
  accountsQuery,
  enableMutation,
  resetMutation,
} from "./accounts-api.ts";
import { type OperatorProps, showToOperator } from "./frame.tsx";

/** Shows `/operator/accounts`. */
export const show = (place: Element, root: URL): void => showToOperator(place, root, Accounts);

function Accounts({ graph, root }: OperatorProps): JSX.Element {
  const search = useSignal("");
  const cursors = useSignal<Cursors>([]);
  const asked = useSignal<Asked | undefined>(undefined);
  const open = useSignal("");
  const list = useMemo(
    () =>
      openResource(graph, () =>
        graph.request<AccountsAnswer>(accountsQuery, {
          search: search.value,
          after: cursors.value.at(-1) ?? null,
        }),
      ),
    [],
  );
  useEffect(() => list.close, [list]);
  const connection = list.value.value?.accountsConnection;
  return (
    <>
      <p class="actions">
        <button class="primary" onClick={() => (asked.value = { kind: "create" })}>
          Create an account
        </button>
      </p>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <p>
          <label for="search">Search</label>
          <input
            id="search"
            type="search"
            maxLength={200}
            value={search.value}
            onChange={({ currentTarget }) => {
              search.value = currentTarget.value;
              cursors.value = [];
              void list.reload();
            }}
          />
        </p>
      </form>
      {!connection ? null : (
        <p role="status">
          {connection.totalCount.toLocaleString()} {connection.totalCount === 1 ? "account" : "accounts"}
        </p>
      )}
      {!connection || connection.totalCount === 0 ? null : (
        <AccountTable
          accounts={connection.nodes}
          graph={graph}
          onChange={() => void list.reload()}
          onAsk={(next) => (asked.value = next)}
          onOpen={(name) => (open.value = name)}
        />
      )}
      {!connection ? null : (
        <Pager
          cursors={cursors.value}
          pageInfo={connection.pageInfo}
          names={["Back", "Next"]}
          onGo={(next) => {
            cursors.value = next;
            void list.reload();
          }}
        />
      )}
      <p role="alert">{list.message.value}</p>
      {open.value === "" ? null : <AccountKeys key={open.value} graph={graph} name={open.value} />}
      {asked.value === undefined ? null : (
        <AccountDialogs
          key={asked.value.kind}
          asked={asked.value}
          graph={graph}
          root={root}
          onAsk={(next) => {
            asked.value = next;
            void list.reload();
          }}
        />
      )}
    </>
  );
}

interface AccountTableProps {
  accounts: readonly Account[];
  graph: Graph;
  /** Called after an act that changed an account. */
  onChange(): void;
  onAsk(asked: Asked): void;
  /** Shows the keys of an account. */
  onOpen(name: string): void;
}

function AccountTable({ accounts, graph, onChange, onAsk, onOpen }: AccountTableProps): JSX.Element {
  const { run, isBusy, message } = useAct();
  const act = (mutation: string, name: string): void =>
    void run(() => graph.request(mutation, { name })).then(onChange);
  return (
    <>
      <div class="scroll" role="region" aria-label="List of accounts" tabIndex={0}>
        <table>
          <caption class="unseen">Accounts</caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col">Plan</th>
              <th scope="col" class="number">
                Used this hour
              </th>
              <th scope="col" class="number">
                Limit
              </th>
              <th scope="col">Created</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {accounts.map((account) => {
              const { name } = account;
              return (
                <tr key={name}>
                  <th scope="row">
                    {name}
                    {account.disabled ? <span class="badge">disabled</span> : null}
                  </th>
                  <td>{account.plan.toLowerCase()}</td>
                  <td class="number">{account.quota?.used.toLocaleString() ?? "–"}</td>
                  <td class="number">{account.limit.toLocaleString()}</td>
                  <td>
                    <Time at={account.createdAt} />
                  </td>
                  <td>
                    <span class="buttons">
                      <button
                        aria-label={`Link to sign in to ${name}`}
                        onClick={() => onAsk({ kind: "login", account })}
                      >
                        Link
                      </button>
                      <button aria-label={`Keys of ${name}`} onClick={() => onOpen(name)}>
                        Keys
                      </button>
                      <button
                        aria-label={`Change ${name}`}
                        onClick={() => onAsk({ kind: "change", account })}
                      >
                        Change
                      </button>
                      <button
                        aria-disabled={isBusy.value}
                        aria-label={`Reset quota of ${name}`}
                        onClick={() => act(resetMutation, name)}
                      >
                        Reset quota
                      </button>
                      {account.disabled ? (
                        <button
                          aria-disabled={isBusy.value}
                          aria-label={`Enable ${name}`}
                          onClick={() => act(enableMutation, name)}
                        >
                          Enable
                        </button>
                      ) : (
                        <button
                          aria-label={`Disable ${name}`}
                          onClick={() => onAsk({ kind: "disable", account })}
                        >
                          Disable
                        </button>
                      )}
                      <button
                        class="danger"
                        aria-label={`Delete ${name}`}
                        onClick={() => onAsk({ kind: "delete", account })}
                      >
                        Delete
                      </button>
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p role="alert">{message.value}</p>
    </>
  );
}
