import { type Signal, signal } from "@preact/signals";
import { render, type JSX } from "preact";
import { endSubscription, gql, type Graph, openGraph } from "../graph.ts";
import { openResource, type Resource } from "../resource.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { HindranceNotice } from "../ui/hindrance-notice.tsx";
import { Text } from "../ui/text.tsx";
import { isSamePerson, nameOf, type Person, type Session, SessionTable } from "./session-table.tsx";

const sessionsQuery = gql`
  query Sessions {
    sessions {
      id
      operator
      account
      person {
        issuer
        subject
        name
      }
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

const revokeAllMutation = gql`
  mutation RevokeSessions($person: PersonInput) {
    revokeSessions(person: $person) {
      id
    }
  }
`;

/** What the user is asked to confirm: the end of one session, or of all sessions of a person. */
type Asked = { session: Session } | { person: Person; isOwn: boolean };

interface Page {
  graph: Graph;
  root: URL;
  list: Resource<{ sessions: Session[] | null }>;
  asked: Signal<Asked | undefined>;
  search: Signal<string>;
}

/** Shows `/settings/sessions`. */
export function show(place: Element, root: URL): void {
  const graph = openGraph(root);
  const list = openResource(graph, () => graph.request<{ sessions: Session[] | null }>(sessionsQuery));
  const page = { graph, root, list, asked: signal(undefined), search: signal("") };
  render(<Sessions {...page} />, place);
  graph.subscribe(endSubscription, {}, list.refresh);
}

function Sessions({ graph, root, list, asked, search }: Page): JSX.Element {
  const sessions = list.value.value?.sessions?.toReversed() ?? [];
  const current = sessions.find((session) => session.current);
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = sessions.filter((session) => matches(session, words));
  const people = distinct(shown);
  const [person] = people;
  const question = asked.value;
  return (
    <>
      <HindranceNotice graph={graph} root={root} />
      {current?.operator === true ? (
        <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
          <p>
            <label for="search">Who, or which account</label>
            <input
              id="search"
              type="search"
              maxLength={200}
              value={search.value}
              onInput={({ currentTarget }) => (search.value = currentTarget.value)}
            />
          </p>
          {words.length === 0 || person === undefined || people.length > 1 ? null : (
            <p>
              <button
                class="danger"
                onClick={() => (asked.value = { person, isOwn: isOwn(current, person) })}
              >
                End all sessions of <Text>{nameOf(person)}</Text>
              </button>
            </p>
          )}
        </form>
      ) : current?.person ? (
        <p class="actions">
          <button
            class="danger"
            onClick={() => current.person && (asked.value = { person: current.person, isOwn: true })}
          >
            End all my sessions
          </button>
        </p>
      ) : null}
      {shown.length === 0 ? null : (
        <SessionTable sessions={shown} onEnd={(session) => (asked.value = { session })} />
      )}
      {words.length > 0 && shown.length === 0 ? <p role="status">No sessions.</p> : null}
      <p role="alert">{list.message.value}</p>
      {question === undefined ? null : (
        <EndDialog
          asked={question}
          graph={graph}
          onClose={() => {
            asked.value = undefined;
            void list.reload();
          }}
        />
      )}
    </>
  );
}

const isOwn = (current: Session, person: Person): boolean => isSamePerson(current.person, person);

/** Returns the people of these sessions, each once. */
const distinct = (sessions: readonly Session[]): Person[] =>
  sessions.reduce<Person[]>(
    (people, { person }) =>
      person === null || people.some((one) => isSamePerson(one, person)) ? people : [...people, person],
    [],
  );

function matches({ person, account, operator, id }: Session, words: readonly string[]): boolean {
  const text = [person?.name, person?.subject, person?.issuer, account, operator && "operator", id]
    .filter(Boolean)
    .join(" ")
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

interface EndDialogProps {
  asked: Asked;
  graph: Graph;
  onClose(): void;
}

function EndDialog({ asked, graph, onClose }: EndDialogProps): JSX.Element {
  if ("person" in asked) {
    const { issuer, subject } = asked.person;
    return (
      <ConfirmDialog
        title={asked.isOwn ? "End all my sessions" : "End all sessions of a person"}
        action="End the sessions"
        act={() => graph.request(revokeAllMutation, { person: { issuer, subject } })}
        onClose={onClose}
      >
        <p>
          <Text>{nameOf(asked.person)}</Text> is signed out within a second, everywhere and of every account
          {asked.isOwn ? ", here too. " : ". "}
          Signing in again stays possible as long as the provider or the proxy, and the rules of this server,
          allow it.
        </p>
      </ConfirmDialog>
    );
  }
  const { session } = asked;
  return (
    <ConfirmDialog
      title={session.current ? "End this session" : "End a session"}
      action="End the session"
      act={() => graph.request(revokeMutation, { id: session.id })}
      onClose={onClose}
    >
      <p>{toConsequence(session)}</p>
    </ConfirmDialog>
  );
}

function toConsequence({ current, person }: Session): string {
  if (person !== null)
    return current ? "You are signed out here." : "Its pages are signed out within a second.";
  return current
    ? "You are signed out here, and need another code to sign in again."
    : "Its pages are signed out within a second. Whoever used it needs another code to sign in again.";
}
