import type { JSX } from "preact";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";

export interface Person {
  issuer: string;
  subject: string;
  name: string | null;
}

export interface Session {
  id: string;
  operator: boolean;
  account: string | null;
  person: Person | null;
  state: "LIVE" | "EXPIRED" | "REVOKED";
  current: boolean;
  createdAt: string;
  expiresAt: string;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

export const isSamePerson = (a: Person | null | undefined, b: Person | null | undefined): boolean =>
  Boolean(a && b) && a?.issuer === b?.issuer && a?.subject === b?.subject;

/** What the page calls a person. Names are not unique, so the subject is always there. */
export const nameOf = ({ name, subject }: Person): string =>
  name === null || name === subject ? subject : `${name} (${subject})`;

const states = { LIVE: "Live", EXPIRED: "Expired", REVOKED: "Ended" };

interface SessionTableProps {
  sessions: readonly Session[];
  onEnd(session: Session): void;
}

export const SessionTable = ({ sessions, onEnd }: SessionTableProps): JSX.Element => (
  <div class="scroll" role="region" aria-label="Sessions" tabIndex={0}>
    <table>
      <caption class="unseen">Sessions</caption>
      <thead>
        <tr>
          <th scope="col">Session</th>
          <th scope="col">State</th>
          <th scope="col">Who</th>
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
              <Who person={session.person} />
            </td>
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

const Who = ({ person }: Pick<Session, "person">): JSX.Element =>
  person === null ? (
    <>a one-time code</>
  ) : (
    <>
      <Text>{nameOf(person)}</Text>
      <br />
      <small>
        <Text>{person.issuer}</Text>
      </small>
    </>
  );
