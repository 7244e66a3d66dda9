import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Graph } from "../graph.ts";
import { openResource } from "../resource.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { type Cursors, Pager } from "../ui/pager.tsx";
import { Text, toVisible } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { type AccountKey, type AccountKeysAnswer, keysQuery, revokeMutation } from "./accounts-api.ts";

/** The keys of an account, which the operator can revoke. */
export function AccountKeys({ graph, name }: { graph: Graph; name: string }): JSX.Element {
  const cursors = useSignal<Cursors>([]);
  const asked = useSignal<AccountKey | undefined>(undefined);
  const keys = useMemo(
    () =>
      openResource(
        graph,
        () => graph.request<AccountKeysAnswer>(keysQuery, { name, after: cursors.value.at(-1) ?? null }),
        { isOnce: true },
      ),
    [name],
  );
  useEffect(() => keys.close, [keys]);
  const connection = keys.value.value?.keysConnection;
  return (
    <section aria-labelledby="keys-of">
      <h2 id="keys-of">Keys of {name}</h2>
      {!connection ? null : connection.totalCount === 0 ? (
        <p role="status">It has no keys.</p>
      ) : (
        <>
          <div class="scroll" role="region" aria-label="List of keys" tabIndex={0}>
            <table>
              <caption class="unseen">Keys</caption>
              <thead>
                <tr>
                  <th scope="col">Key</th>
                  <th scope="col">State</th>
                  <th scope="col">Last used</th>
                  <th scope="col" class="number">
                    Calls in 24 h
                  </th>
                  <th scope="col">Actions</th>
                </tr>
              </thead>
              <tbody>
                {connection.nodes.map((key) => (
                  <tr key={key.id}>
                    <th scope="row">
                      {key.name === null ? null : <Text>{key.name}</Text>} <code>{key.start}…</code>
                    </th>
                    <td>{key.state.toLowerCase()}</td>
                    <td>
                      <Time at={key.lastUsedAt} none="not known" />
                    </td>
                    <td class="number">{key.requestsLast24h?.toLocaleString() ?? "–"}</td>
                    <td>
                      {key.state === "LIVE" ? (
                        <button
                          class="danger"
                          aria-label={`Revoke ${toVisible(key.name ?? key.start)}`}
                          onClick={() => (asked.value = key)}
                        >
                          Revoke
                        </button>
                      ) : null}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Pager
            cursors={cursors.value}
            pageInfo={connection.pageInfo}
            onGo={(next) => {
              cursors.value = next;
              void keys.reload();
            }}
          />
        </>
      )}
      <p role="alert">{keys.message.value}</p>
      {asked.value === undefined ? null : (
        <ConfirmDialog
          title="Revoke a key"
          action="Revoke"
          act={() => graph.request(revokeMutation, { id: asked.value?.id })}
          onClose={() => {
            asked.value = undefined;
            void keys.reload();
          }}
        >
          <p>
            <code>{asked.value.start}…</code> of {name} stops at once and for good.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
