import type { ErrorCode } from "../../../catalog/errors.ts";
import type { AdminOperation, Handlers, ListView } from "../../admin/admin.ts";
import type { SessionRecord } from "../../storage/records.ts";
import type { Sessions } from "./sessions.ts";
import { sessionStateOf, type SessionState } from "./state.ts";

/** The only answer with a code, which is shown once. `account` is null for the operator. */
export interface LoginView {
  id: string;
  code: string;
  account: string | null;
  expiresAt: string;
}

/** A session without its hash. `account` is null for the operator. */
export interface SessionView {
  id: string;
  account: string | null;
  operator: boolean;
  state: SessionState;
  createdAt: string;
  expiresAt: string;
  revokedAt?: string;
}

/** The only answer with a token, which is shown once. */
export interface BegunView {
  id: string;
  token: string;
  session: SessionView;
}

/** The result of checking a code: what it signs in to, or why it is refused. */
export type CodeView =
  | { valid: true; id: string; account: string | null }
  | { valid: false; code: ErrorCode; message: string };

type SessionOperation = Extract<AdminOperation, "login" | `sessions.${string}`>;

export function createSessionHandlers(
  sessions: Sessions,
  now: () => number,
): Pick<Handlers, SessionOperation> {
  function toView(record: SessionRecord): SessionView {
    const { v: _version, hash: _hash, account = null, operator = false, ...shown } = record;
    return { ...shown, account, operator, state: sessionStateOf(record, now()) };
  }

  return {
    async login({ account }) {
      const { code, record } = await sessions.issueCode(account);
      return { id: record.id, code, account: record.account ?? null, expiresAt: record.expiresAt };
    },
    async "sessions.check"({ code }): Promise<CodeView> {
      const checked = await sessions.checkCode(code);
      return "hash" in checked
        ? { valid: true, id: checked.id, account: checked.account ?? null }
        : { valid: false, ...checked };
    },
    async "sessions.begin"({ code }): Promise<BegunView> {
      const { token, record } = await sessions.begin(code);
      return { id: record.id, token, session: toView(record) };
    },
    async "sessions.list"({ account }): Promise<ListView<SessionView>> {
      const { records, damaged } = await sessions.list(account);
      return { items: records.map(toView), ...(damaged.length > 0 && { damaged }) };
    },
    "sessions.show": async ({ id }) => toView(await sessions.get(id)),
    "sessions.revoke": async ({ id }) => toView(await sessions.revoke(id)),
  };
}
