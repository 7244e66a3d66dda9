import type { ListView } from "../../../services/admin/admin.ts";
import type { BegunView, SessionView } from "../../../services/access/sessions/operations.ts";
import { signIn } from "../../../services/access/sessions/sign-in.ts";
import type { SessionState } from "../../../services/access/sessions/state.ts";
import type { GraphqlContext } from "../context.ts";
import { accountOrAll, callAdmin, findOwn, lookUp, requireSession } from "../scope.ts";
import { given } from "./given.ts";
import type { Part } from "./part.ts";

/** Settings sessions, from the operator's code to their end. */
export const sessions: Part = {
  typeDefs: `
extend type Query {
  "Sessions of the account, oldest first, including those that ended within a day. Requires a session. The operator sees all accounts by default."
  sessions(account: ID): [Session!]
}

extend type Mutation {
  "Exchanges a code, which penknife admin login prints, for a session. It ends after 8 hours, and after 30 minutes without a request. A code works once, within ten minutes; hyphens and case are ignored."
  signIn(code: String!): SignInPayload
  "Ends the session of this request."
  signOut: Session
  "Ends a session; requires a session."
  revokeSession(id: ID!): Session
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
  "The state of the session."
  state: SessionState!
  "Whether it is the session of this request."
  current: Boolean!
  "When its code was exchanged."
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
      async sessions(_source, { account }: { account?: string | null }, context) {
        requireSession(context);
        const whose = given({ account: accountOrAll(context, account) });
        return (await lookUp<ListView<SessionView>>(context, "sessions.list", whose)).items;
      },
    },
    Mutation: {
      async signIn(_source, { code }: { code: string }, { deps, ip }): Promise<BegunView> {
        return signIn(code, { admin: await deps.admin(), refusals: deps.refusals, ip });
      },
      signOut(_source, _args, context) {
        requireSession(context);
        return revoke(context, context.principal.sessionId ?? "");
      },
      async revokeSession(_source, { id }: { id: string }, context) {
        requireSession(context);
        const session = await findOwn<SessionView>(
          context,
          "sessions.show",
          id,
          "There is no such session; the field sessions lists them.",
        );
        return revoke(context, session.id);
      },
    },
    Session: {
      current: ({ id }: SessionView, _args, { principal }) => id === principal.sessionId,
    },
  },
};

const revoke = (context: GraphqlContext, id: string): Promise<SessionView> =>
  callAdmin<SessionView>(context, "sessions.revoke", { id });
