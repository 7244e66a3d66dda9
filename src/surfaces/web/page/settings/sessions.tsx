import { type Signal, signal } from "@preact/signals";
import { render, type JSX } from "preact";
import { endSubscription, gql, type Graph, openGraph } from "../graph.ts";
import { openResource, type Resource } from "../resource.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { HindranceNotice } from "../ui/hindrance-notice.tsx";
import { Time } from "../ui/time.tsx";

interface Session {
  id: string;
  operator: boolean;
  account: string | null;
  state: "LIVE" | "EXPIRED" | "REVOKED";
  current: boolean;
  createdAt: string;
  expiresAt: string;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

const sessionsQuery = gql`
  query Sessions {
    sessions {
      id
      operator
      account
      state
      current
      createdAt
      expiresAt
      revokedAt
      lastUsedAt
    }
  }
`;

const revokeMutation = gql`
  mutation RevokeSession($id: ID!) {
    revokeSession(id: $id) {
      id
    }
  }
`;

interface Page {
  graph: Graph;
  root: URL;
  list: Resource<{ sessions: Session[] | null }>;
  asked: Signal<Session | undefined>;
}

/** Shows `/settings/sessions`. */
export function show(place: Element, root: URL): void {
  const graph = openGraph(root);
  const list = openResource(graph, () => graph.request<{ sessions: Session[] | null }>(sessionsQuery));
  render(<Sessions graph={graph} root={root} list={list} asked={signal(undefined)} />, place);
  graph.subscribe(endSubscription, {}, list.refresh);
}

function Sessions({ graph, root, list, asked }: Page): JSX.Element {
  const sessions = list.value.value?.sessions?.toReversed() ?? [];
  const session = asked.value;
  return (
    <>
      <HindranceNotice graph={graph} root={root} />
      {sessions.length === 0 ? null : (
        <SessionTable sessions={sessions} onEnd={(ended) => (asked.value = ended)} />
      )}
      <p role="alert">{list.message.value}</p>
      {session === undefined ? null : (
        <ConfirmDialog
          title={session.current ? "End this session" : "End a session"}
          action="End the session"
          act={() => graph.request(revokeMutation, { id: session.id })}
          onClose={() => {
            asked.value = undefined;
            void list.reload();
          }}
        >
          <p>
            {session.current
              ? "You are signed out here, and need another code to sign in again."
              : "Its pages are signed out within a second. Whoever used it needs another code to sign in again."}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const states = { LIVE: "Live", EXPIRED: "Expired", REVOKED: "Ended" };

interface SessionTableProps {
  sessions: readonly Session[];
  onEnd(session: Session): void;
}

const SessionTable = ({ sessions, onEnd }: SessionTableProps): JSX.Element => (
  <div class="scroll" role="region" aria-label="Sessions" tabIndex={0}>
    <table>
      <caption class="unseen">Sessions</caption>
      <thead>
        <tr>
          <th scope="col">Session</th>
          <th scope="col">State</th>
          <th scope="col">Signed in</th>
          <th scope="col">Last used</th>
          <th scope="col">Ends at the latest</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id}>
            <th scope="row">
              <code>{session.id.slice(0, 12)}…</code>
              {session.current ? " (this one)" : null}
              {session.operator ? " (operator)" : session.account === null ? null : ` (${session.account})`}
            </th>
            <td>{states[session.state]}</td>
            <td>
              <Time at={session.createdAt} />
            </td>
            <td>
              <Time at={session.lastUsedAt} none="not known" />
            </td>
            <td>
              <Time at={session.revokedAt ?? session.expiresAt} />
            </td>
            <td>
              {session.state === "LIVE" ? (
                <button
                  class="danger"
                  aria-label={session.current ? "End this session" : `End session ${session.id}`}
                  onClick={() => onEnd(session)}
                >
                  End
                </button>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
