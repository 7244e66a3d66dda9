import type { ErrorCode } from "../../../catalog/errors.ts";
import type { AdminOperation, Handlers, ListView } from "../../admin/admin.ts";
import { toInstant } from "../../../catalog/duration.ts";
import { defined } from "../../../lib/defined.ts";
import type { Person } from "../../../catalog/principal.ts";
import { requireSeen } from "../incarnation.ts";
import { refused } from "../../../catalog/refused.ts";
import type { SessionRecord } from "../../../storage/records.ts";
import type { KeyUses } from "../../../storage/key-uses.ts";
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
  /** Who signed in; absent if the session began with a code. */
  person?: Person;
  state: SessionState;
  createdAt: string;
  expiresAt: string;
  revokedAt?: string;
  /** The minute of the last request; null before the first. */
  lastUsedAt: string | null;
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
  readUses: (ids?: readonly string[]) => Promise<KeyUses>,
): Pick<Handlers, SessionOperation> {
  function toView(record: SessionRecord, { last }: KeyUses): SessionView {
    const {
      v: _version,
      hash: _hash,
      incarnation: _incarnation,
      account = null,
      operator = false,
      ...shown
    } = record;
    const lastUse = last.get(record.id);
    return {
      ...shown,
      account,
      operator,
      state: sessionStateOf(record, now(), lastUse),
      lastUsedAt: lastUse === undefined ? null : toInstant(lastUse),
    };
  }

  const show = async (record: SessionRecord): Promise<SessionView> =>
    toView(record, await readUses([record.id]));

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
      return { id: record.id, token, session: toView(record, { last: new Map() }) };
    },
    async "sessions.open"({ person, account, operator }): Promise<BegunView> {
      if ((account === undefined) === (operator === undefined))
        throw refused("", "Open a session either of an account or of the operator.");
      const whose = account === undefined ? { operator: true as const } : { account };
      const { token, record } = await sessions.open(defined(person), whose);
      return { id: record.id, token, session: toView(record, { last: new Map() }) };
    },
    async "sessions.list"({ account, person }, { owner: caller }): Promise<ListView<SessionView>> {
      const { records, damaged } = await sessions.list(
        defined({ account, person: person && defined(person), caller }),
      );
      const uses = await readUses(records.map(({ id }) => id));
      return { items: records.map((record) => toView(record, uses)), ...(damaged.length > 0 && { damaged }) };
    },
    "sessions.show": async ({ id }, { owner }) => show(requireSeen(await sessions.get(id), owner)),
    async "sessions.revoke"({ id }) {
      const record = await sessions.revoke(id);
      // An ended session must not be reported as failed because its last use cannot be read.
      return show(record).catch(() => toView(record, { last: new Map() }));
    },
    async "sessions.revokeAll"({ person, account }): Promise<ListView<SessionView>> {
      const records = await sessions.revokeAll(defined(person), account);
      const uses = await readUses(records.map(({ id }) => id)).catch(() => ({ last: new Map() }));
      return { items: records.map((record) => toView(record, uses)) };
    },
  };
}
