import type { OutputOf } from "../../../operations/index.ts";
import type { SessionView } from "../../../operations/sessions/view.ts";
import { signIn } from "../../../operations/sign-in.ts";
import { ToolError } from "../../../catalog/errors.ts";
import type { Person } from "../../../catalog/principal.ts";
import { refused } from "../../../catalog/refused.ts";
import { isSamePerson } from "../../../storage/person.ts";
import type { SessionState } from "../../../services/access/sessions/state.ts";
import type { GraphqlContext } from "../context.ts";
import { accountOrAll, callAdmin, findOwn, lookUp, requireSession } from "../scope.ts";
import { given } from "./given.ts";
import type { Part } from "./part.ts";

/** Settings sessions, from the operator's code to their end. */
export const sessions: Part = {
  typeDefs: `
extend type Query {
  "Sessions of the account, oldest first, including those that ended within a day. Requires a session. The session of a person does not see those of other people. The operator sees all accounts by default."
  sessions(
    account: ID
    "Only sessions of this person."
    person: PersonInput
  ): [Session!]
}

extend type Mutation {
  "Exchanges a code, which penknife admin login prints, for a session. It ends after 8 hours, and after 30 minutes without a request. A code works once, within ten minutes; hyphens and case are ignored."
  signIn(code: String!): SignInPayload
  "Ends the session of this request."
  signOut: Session
  "Ends a session; requires a session."
  revokeSession(id: ID!): Session
  "Ends all live sessions of a person, in every account, and returns them. The operator names the person; the session of a person leaves the argument out, and ends with the others."
  revokeSessions(person: PersonInput): [Session!]
}

"Who signed in with a provider or through a trusted proxy. Issuer and subject together identify a person."
type Person {
  "The issuer URL of the provider, or proxy."
  issuer: String!
  "The id of the person at the issuer."
  subject: String!
  "For display only; null if the provider sent none."
  name: String
}

"Identifies a person."
input PersonInput {
  "The issuer URL of the provider, or proxy."
  issuer: String!
  "The id of the person at the issuer."
  subject: String!
}

"The state of a session."
enum SessionState {
  LIVE
  EXPIRED
  REVOKED
}

"A settings session, without its token."
type Session {
  id: ID!
  "The account; null for a session of the operator."
  account: ID
  "Whether it is a session of the operator, which sees every account."
  operator: Boolean!
  "Who signed in; null if the session began with a code."
  person: Person
  "The state of the session."
  state: SessionState!
  "Whether it is the session of this request."
  current: Boolean!
  "When it began."
  createdAt: DateTime!
  "When it ends at the latest, 8 hours after it began."
  expiresAt: DateTime!
  "When it was ended; null if it was not."
  revokedAt: DateTime
  "The minute of its last request; null if none was recorded."
  lastUsedAt: DateTime
}

"The only answer that contains the token."
type SignInPayload {
  "The token for further requests: Authorization: Bearer svc_sess_…. It is shown only once."
  token: String!
  "The new session."
  session: Session!
}
`,
  enums: { SessionState: ["live", "expired", "revoked"] satisfies SessionState[] },
  resolvers: {
    Query: {
      async sessions(_source, { account, person }: SessionsArgs, context) {
        requireSession(context);
        const whose = given({ account: accountOrAll(context, account), person });
        const { items } = await lookUp(context, "sessions.list", whose);
        return items.filter((session) => isVisible(context, session));
      },
    },
    Mutation: {
      async signIn(_source, { code }: { code: string }, { deps, ip }): Promise<OutputOf<"sessions.begin">> {
        return signIn(code, { admin: await deps.admin(), refusals: deps.refusals, ip });
      },
      signOut(_source, _args, context) {
        requireSession(context);
        return revoke(context, context.principal.sessionId ?? "");
      },
      async revokeSession(_source, { id }: { id: string }, context) {
        requireSession(context);
        const notFound = "There is no such session; the field sessions lists them.";
        const session = await findOwn(context, "sessions.show", id, notFound);
        if (!isVisible(context, session)) throw new ToolError("not_found", notFound);
        return revoke(context, session.id);
      },
      async revokeSessions(_source, { person }: Pick<SessionsArgs, "person">, context) {
        requireSession(context);
        const args = { person: personIn(context, person) };
        return (await callAdmin(context, "sessions.revokeAll", args)).items;
      },
    },
    Session: {
      current: ({ id }: SessionView, _args, { principal }) => id === principal.sessionId,
    },
  },
};

interface SessionsArgs {
  account?: string | null;
  person?: Pick<Person, "issuer" | "subject"> | null;
}

/**
 * Reports whether a caller may see and end a session of its account. The holder of a code stands for the account and sees all
 * of them; a person sees the person's own and those that began with a code, which belong to nobody in particular.
 */
const isVisible = ({ principal }: Pick<GraphqlContext, "principal">, { person }: SessionView): boolean =>
  principal.person === undefined ||
  principal.operator === true ||
  person === undefined ||
  isSamePerson(person, principal.person);

/** Returns the person whose sessions are to end. @throws ToolError forbidden, invalid_input. */
function personIn(
  { principal }: Pick<GraphqlContext, "principal">,
  named: SessionsArgs["person"],
): Pick<Person, "issuer" | "subject"> {
  const own = principal.person;
  if (principal.operator !== true && named && !(own && isSamePerson(own, { ...named }))) {
    throw new ToolError(
      "forbidden",
      "Only the operator can end all sessions of another person. Leave person out, or sign in as the operator.",
    );
  }
  const { issuer, subject } = named ?? own ?? {};
  if (issuer === undefined || subject === undefined)
    throw refused("/person", "Name the person: this session began with a code, and has none.");
  return { issuer, subject };
}

const revoke = (context: GraphqlContext, id: string): Promise<SessionView> =>
  callAdmin(context, "sessions.revoke", { id });
