import type { Principal } from "../../../catalog/principal.ts";
import { callAdmin } from "../scope.ts";
import type { Part } from "./part.ts";

/** The caller. The quota needs no look-up, because the request was counted. */
export const viewer: Part = {
  typeDefs: `
extend type Query {
  "The caller and its quota."
  viewer: Viewer!
}

"How a caller is authenticated."
enum PrincipalKind {
  "No credential: counted by address."
  ANONYMOUS
  "An API key of an account."
  KEY
  "A settings session, begun with signIn."
  SESSION
}

"The caller."
type Viewer {
  "How the caller is authenticated."
  kind: PrincipalKind!
  "Whether this is a session of the operator, which sees every account."
  operator: Boolean!
  "Null for anonymous callers and for the operator."
  account: Account
  "The key of the request."
  key: Key
  "The session of the request."
  session: Session
  "The window that this request was counted in: of the account, of the session, or of the address."
  quota: Quota
}

"The quota of an hour and its use. The hour begins with the first request."
type Quota {
  "Requests an hour."
  limit: Long!
  "Requests counted in this hour."
  used: Long!
  "Requests left; 0 if the limit is now below the use."
  remaining: Long!
  "When the hour ends; null if nothing was counted yet."
  resetAt: DateTime
}
`,
  enums: { PrincipalKind: ["anonymous", "key", "session"] satisfies Principal["kind"][] },
  resolvers: {
    Query: { viewer: (_source, _args, { principal }) => principal },
    Viewer: {
      operator: ({ operator }: Principal) => operator === true,
      account: ({ account }: Principal, _args, context) =>
        account === undefined ? null : callAdmin(context, "accounts.show", { name: account }),
      key: ({ keyId }: Principal, _args, context) =>
        keyId === undefined ? null : callAdmin(context, "keys.show", { id: keyId }),
      session: ({ sessionId }: Principal, _args, context) =>
        sessionId === undefined ? null : callAdmin(context, "sessions.show", { id: sessionId }),
      quota: (_principal, _args, { quota }) => quota,
    },
  },
};
