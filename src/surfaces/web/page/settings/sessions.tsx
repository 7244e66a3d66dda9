import { type DataOf, endSubscription, gql } from "../graph.ts";
import { type Asked, defineQuestion } from "../ui/ask.tsx";
import { searchFilter } from "../ui/filters.tsx";
import { showToOwner } from "../ui/frame.tsx";
import { defineList, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { Tag } from "../ui/tag.tsx";
import { Text } from "../ui/text.tsx";
import { EndDate, Time } from "../ui/time.tsx";

/** Shows `/settings/sessions`. */
export const show = (place: Element, root: URL): void =>
  showToOwner(place, root, (page) => <ListView of={useList(page, () => sessionList)} />);

type Session = NonNullable<DataOf<"Sessions">["sessions"]>[number];
type Person = NonNullable<Session["person"]>;

const states = { LIVE: "Live", EXPIRED: "Expired", REVOKED: "Ended" };

const sessionList = defineList({
  label: "Sessions",
  document: gql(`
    query Sessions {
      sessions {
        id operator account
        person { issuer subject name }
        state current createdAt expiresAt revokedAt lastUsedAt
      }
    }
  `),
  filters: { search: searchFilter("Who, or which account", 200, true) },
  rows: ({ sessions }, { search }) =>
    sessions?.toReversed().filter((session) => matches(session, wordsOf(search))) ?? [],
  idOf: ({ id }) => id,
  columns: [
    {
      title: "Session",
      cell: ({ id, current, operator, account }) => (
        <>
          <code>{id.slice(0, 12)}…</code>
          {current ? " (this one)" : null}
          {operator ? " (operator)" : account === null ? null : ` (${account})`}
        </>
      ),
    },
    {
      title: "State",
      cell: ({ state }) => <Tag tone={state === "LIVE" ? "ok" : "neutral"}>{states[state]}</Tag>,
    },
    {
      title: "Who",
      cell: ({ person }) =>
        person === null ? (
          "a one-time code"
        ) : (
          <>
            <Text>{nameOf(person)}</Text>
            <br />
            <small>
              <Text>{person.issuer}</Text>
            </small>
          </>
        ),
    },
    { title: "Signed in", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none="not known" /> },
    {
      title: "Ends at the latest",
      cell: ({ revokedAt, expiresAt }) => <EndDate at={revokedAt ?? expiresAt} />,
    },
  ],
  actions: (session) => [
    session.state === "LIVE" && {
      text: "End",
      label: session.current ? "End this session" : `End session ${session.id}`,
      isDanger: true,
      ask: () => end(session),
    },
  ],
  status: ({ rows, values: { search } }) =>
    rows.length === 0 && wordsOf(search).length > 0 ? "No sessions." : undefined,
  head({ ask }, { data }) {
    const current = currentOf(data);
    return current?.person && !current.operator ? (
      <p class="page-action">
        <button class="danger" onClick={() => current.person && ask(endAll(current.person, true))}>
          End all my sessions
        </button>
      </p>
    ) : null;
  },
  beside({ ask }, { data, rows, values: { search } }) {
    const current = currentOf(data);
    if (current?.operator !== true) return false;
    const [person, ...others] = distinct(rows);
    return wordsOf(search).length === 0 || person === undefined || others.length > 0 ? null : (
      <button
        type="button"
        class="danger end"
        onClick={() => ask(endAll(person, isSamePerson(current.person, person)))}
      >
        End all sessions of <Text>{nameOf(person)}</Text>
      </button>
    );
  },
  live: ({ page, resource }) => void page.graph.subscribe(endSubscription, {}, resource.refresh),
});

const currentOf = (data: DataOf<"Sessions"> | undefined): Session | undefined =>
  data?.sessions?.find(({ current }) => current);

const wordsOf = (search: string): string[] => search.toLowerCase().split(/\s+/).filter(Boolean);

function matches({ person, account, operator, id }: Session, words: readonly string[]): boolean {
  const text = [person?.name, person?.subject, person?.issuer, account, operator && "operator", id]
    .filter(Boolean)
    .join(" ")
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

const isSamePerson = (one: Person | null, other: Person | null): boolean =>
  one !== null && one.issuer === other?.issuer && one.subject === other.subject;

/** Returns the name of a person on the page. Names are not unique, so the subject is always there. */
const nameOf = ({ name, subject }: Person): string =>
  name === null || name === subject ? subject : `${name} (${subject})`;

/** Returns the people of these sessions, each once. */
const distinct = (sessions: readonly Session[]): Person[] =>
  sessions.reduce<Person[]>(
    (people, { person }) =>
      person === null || people.some((one) => isSamePerson(one, person)) ? people : [...people, person],
    [],
  );

const endAll = ({ issuer, subject, name }: Person, isOwn: boolean): Asked =>
  defineQuestion({
    title: isOwn ? "End all my sessions" : "End all sessions of a person",
    text: (
      <p>
        <Text>{nameOf({ issuer, subject, name })}</Text> is signed out within a second, everywhere and of
        every account{isOwn ? ", here too. " : ". "}
        Signing in again stays possible as long as the provider or the proxy, and the rules of this server,
        allow it.
      </p>
    ),
    action: "End the sessions",
    isDanger: true,
    act: ({ graph }) => graph.request(revokeAllMutation, { person: { issuer, subject } }),
  });

const revokeAllMutation = gql(`
  mutation RevokeSessions($person: PersonInput) { revokeSessions(person: $person) { id } }
`);

const end = ({ id, current, person }: Session): Asked =>
  defineQuestion({
    title: current ? "End this session" : "End a session",
    text: (
      <p>
        {current ? "You are signed out here" : "Its pages are signed out within a second"}
        {person !== null
          ? "."
          : current
            ? ", and need another code to sign in again."
            : ". Whoever used it needs another code to sign in again."}
      </p>
    ),
    action: "End the session",
    isDanger: true,
    act: ({ graph }) => graph.request(revokeMutation, { id }),
  });

const revokeMutation = gql(`mutation RevokeSession($id: ID!) { revokeSession(id: $id) { id } }`);
