import type { Principal } from "../../../catalog/principal.ts";
import { callAdmin } from "../scope.ts";
import type { Part } from "./part.ts";

/** The caller. The quota needs no look-up, because the request was counted. */
export const viewer: Part = {
  typeDefs: `
extend type Query {
  "Who is calling, and what is left of their quota."
  viewer: Viewer!
}

"What a caller is known by."
enum PrincipalKind {
  "No credential: counted by address."
  ANONYMOUS
  "An API key of an account."
  KEY
  "A settings session, begun with signIn."
  SESSION
}

"Who is calling."
type Viewer {
  "What they are known by."
  kind: PrincipalKind!
  "Whether this is a session of the operator, which sees every account."
  operator: Boolean!
  "Null for anonymous callers, and for the operator, who is of none."
  account: Account
  "The key of the request."
  key: Key
  "The session of the request."
  session: Session
  "The window that this request was counted in: of the account, of the session, or of the address."
  quota: Quota
}

"What may be used in an hour, and what of it was used. The hour begins with the first request."
type Quota {
  "Requests in the hour."
  limit: Long!
  "Requests counted in this hour."
  used: Long!
  "Requests that are left, none where more were made than the limit is now."
  remaining: Long!
  "When the hour ends; null where nothing was counted yet."
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
