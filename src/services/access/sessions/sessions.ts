import { ToolError } from "../../../catalog/errors.ts";
import { toInstant } from "../../../catalog/duration.ts";
import type { Person } from "../../../catalog/principal.ts";
import { defined } from "../../../lib/defined.ts";
import { belongingTo, isSeenBy } from "../incarnation.ts";
import { createKey, hashKey, isKey, recordIdOf } from "../key-format.ts";
import { refused } from "../../../catalog/refused.ts";
import { requireAccount, requireEnabled } from "../require-account.ts";
import { isPerson, isSamePerson, personOwner } from "../../../storage/person.ts";
import type { Lease } from "../../../storage/lease.ts";
import type { LoginRecord, Owned, SessionRecord } from "../../../storage/records.ts";
import type { Listing, Store } from "../../../storage/storage.ts";
import { type CodeFault, createLoginCodes, type IssuedLogin } from "./login-codes.ts";
import { sessionPrefix } from "./session-format.ts";
import { hasEnded, lifeOf } from "./state.ts";
import { makeRoom, sweepSessions } from "./sweep.ts";
import type { Runtime } from "../../../runtime.ts";

/** A new session with its token, which is not stored and is shown once. */
export interface BegunSession {
  token: string;
  record: SessionRecord;
}

/** Settings sessions. Every `id` of a session may also be its token, which is all that the finder of a leaked token has. */
export interface Sessions {
  /** Issues a code for one account, or for the operator if none is named. */
  issueCode(account?: string): Promise<IssuedLogin>;
  /** Checks whether a code would be accepted now. Callers that let anybody try must count refusals. */
  checkCode(code: string): Promise<LoginRecord | CodeFault>;
  /**
   * Exchanges a code for a session. Of all concurrent attempts on all nodes, one succeeds.
   * @throws ToolError for the fault that `checkCode` returns.
   */
  begin(code: string): Promise<BegunSession>;
  /**
   * Opens a session for a person whom a provider or a trusted proxy attested, of an account or of the operator. The caller
   * has checked the person's rights. Of more than `maxOfPerson` sessions of a person, the oldest ones are removed.
   * @throws ToolError not_found, account_disabled; invalid_input for a person without a valid issuer and subject.
   */
  open(person: Person, whose: { account: string } | { operator: true }): Promise<BegunSession>;
  /**
   * Lists the sessions of one account or all, of one person or all, oldest first. A caller sees none of another account of its
   * name.
   * @throws ToolError not_found if the account does not exist.
   */
  list(filter?: { account?: string; person?: Person; caller?: Owned }): Promise<Listing<SessionRecord>>;
  /** Lists the sessions of a person that have neither been revoked nor expired; those that are idle are among them. */
  live(person: Person, account?: string): Promise<SessionRecord[]>;
  /** @throws ToolError not_found. */
  get(id: string): Promise<SessionRecord>;
  /** Revokes a session for good; revoking twice changes nothing. @throws ToolError not_found. */
  revoke(id: string): Promise<SessionRecord>;
  /** Revokes the sessions of a person in one account or all, and returns those that were live. */
  revokeAll(person: Person, account?: string): Promise<SessionRecord[]>;
}

export interface SessionsDeps {
  store: Pick<Store, "accounts" | "sessions" | "logins" | "keyUses" | "hold">;
  runtime: Runtime;
}

const sessionMs = 8 * 3_600_000;

export function createSessions({ store, runtime }: SessionsDeps): Sessions {
  const { accounts, sessions, hold } = store;
  const codes = createLoginCodes({ store, runtime });

  async function add(
    fields: Pick<SessionRecord, "account" | "incarnation" | "operator" | "person">,
    lease?: Lease,
  ): Promise<BegunSession> {
    const token = createKey(runtime.random, sessionPrefix);
    const hash = hashKey(token);
    const id = recordIdOf(hash);
    const record: SessionRecord = {
      ...lifeOf(hash, runtime.now(), sessionMs),
      id: `ses_${id}`,
      ...defined(fields),
    };
    if (!(await sessions.add(id, record, lease))) throw new Error("a session with this id exists");
    return { token, record };
  }

  /** Exchanges the code of a checked login. */
  async function exchange(login: LoginRecord, lease?: Lease): Promise<BegunSession> {
    const { account, incarnation, operator } = login;
    // The session is stored first: if a full disk refuses it, the code is still valid. The token is returned only
    // after this call alone has taken the code.
    const begun = await add(defined({ account, incarnation, operator }), lease);
    try {
      await codes.take(login);
      return begun;
    } catch (error) {
      await sessions.remove(recordIdOf(begun.record.hash)).catch(() => {});
      throw error;
    }
  }

  async function get(idOrToken: string): Promise<SessionRecord> {
    const hash = isKey(idOrToken, sessionPrefix) ? hashKey(idOrToken) : undefined;
    const id = hash === undefined ? /^ses_([0-9a-f]{20})$/.exec(idOrToken)?.[1] : recordIdOf(hash);
    const record = id === undefined ? undefined : await sessions.get(id);
    if (record !== undefined && (hash === undefined || record.hash === hash)) return record;
    // Only an id is repeated: other text may be a mistyped token.
    const what = id === undefined || hash !== undefined ? "such session" : `session ${idOrToken}`;
    throw new ToolError("not_found", `There is no ${what}. penknife admin sessions list shows them all.`);
  }

  async function live(person: Person, account?: string): Promise<SessionRecord[]> {
    const { records } = await sessions.of(personOwner(person));
    return records.filter(
      (record) =>
        isSamePerson(record.person, person) &&
        (account === undefined || record.account === account) &&
        record.revokedAt === undefined &&
        !hasEnded(record, runtime.now()),
    );
  }

  async function end(record: SessionRecord): Promise<SessionRecord> {
    const revokedAt = toInstant(runtime.now());
    const changed = await sessions.change(recordIdOf(record.hash), (found) =>
      found.revokedAt === undefined ? { ...found, revokedAt } : undefined,
    );
    return changed?.after ?? get(record.id);
  }

  return {
    issueCode: codes.issue,
    checkCode: codes.check,
    get,
    live,
    async begin(code) {
      const login = await codes.require(code);
      if (login.account === undefined) return exchange(login);
      return hold(login.account, async (lease) => exchange(await codes.require(code), lease));
    },
    async open(person, whose) {
      if (!isPerson(person)) {
        throw refused(
          "/person",
          "This does not identify a person: the issuer or the subject is empty, too long, or has characters that neither may have.",
        );
      }
      const refusal = (name: string): ToolError =>
        new ToolError("account_disabled", `The account ${name} is disabled. Ask the operator.`);
      if ("account" in whose) await requireEnabled(accounts, whose.account, refusal);
      await sweepSessions(store, runtime.now());
      await makeRoom(store, person);
      if ("operator" in whose) return add({ operator: true, person });
      return hold(whose.account, async (lease) =>
        add({ ...belongingTo(await requireEnabled(accounts, whose.account, refusal)), person }, lease),
      );
    },
    async list({ account, person, caller } = {}) {
      if (account !== undefined) await requireAccount(accounts, account);
      const owner = person === undefined ? account : personOwner(person);
      const { records, damaged } = await (owner === undefined ? sessions.all() : sessions.of(owner));
      const wanted = records.filter(
        (record) =>
          (account === undefined || record.account === account) &&
          isSeenBy(record, caller) &&
          (person === undefined || isSamePerson(record.person, person)),
      );
      return {
        records: wanted.toSorted(
          (a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id),
        ),
        damaged,
      };
    },
    revoke: async (idOrToken) => end(await get(idOrToken)),
    async revokeAll(person, account) {
      const ended: SessionRecord[] = [];
      for (const record of await live(person, account)) ended.push(await end(record));
      return ended;
    },
  };
}
