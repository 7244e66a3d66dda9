import { ToolError, type ErrorCode } from "../../../catalog/errors.ts";
import { toInstant } from "../../../catalog/duration.ts";
import type { Person } from "../../../catalog/principal.ts";
import { defined } from "../../../lib/defined.ts";
import { belongingTo, isOwnedBy, isSeenBy } from "../incarnation.ts";
import { createKey, hashKey, isKey, recordIdOf } from "../key-format.ts";
import { refused } from "../../../catalog/refused.ts";
import { requireAccount } from "../require-account.ts";
import { isPerson, isSamePerson, personOwner } from "../../../storage/person.ts";
import type { Lease } from "../../../storage/lease.ts";
import {
  recordVersion,
  type AccountRecord,
  type LoginRecord,
  type Owned,
  type SessionRecord,
} from "../../../storage/records.ts";
import type { Listing, Store } from "../../../storage/storage.ts";
import { sessionPrefix } from "./session-format.ts";
import { hasEnded } from "./state.ts";
import { makeRoom, sweepSessions } from "./sweep.ts";
import type { Runtime } from "../../../runtime.ts";

/** A code for one sign-in; shown once. */
export interface IssuedLogin {
  code: string;
  record: LoginRecord;
}

/** A new session with its token, which is not stored and is shown once. */
export interface BegunSession {
  token: string;
  record: SessionRecord;
}

/** Why a code is refused. */
export interface CodeFault {
  code: ErrorCode;
  message: string;
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

const codeMs = 600_000;
const sessionMs = 8 * 3_600_000;
const again = "penknife admin login prints another.";

export function createSessions({ store, runtime }: SessionsDeps): Sessions {
  const { accounts, sessions, logins, hold } = store;

  const frame = (
    hash: string,
    lifeMs: number,
  ): Omit<LoginRecord, "id" | "account" | "incarnation" | "operator"> => ({
    v: recordVersion,
    hash,
    createdAt: toInstant(runtime.now()),
    expiresAt: toInstant(runtime.now() + lifeMs),
  });

  async function checkCode(code: string): Promise<LoginRecord | CodeFault> {
    const hash = hashLoginCode(code);
    if (hash === undefined) {
      return {
        code: "malformed_key",
        message: "A code is 20 letters and digits, such as 7K3QF-…: a part is missing or mistyped.",
      };
    }
    const login = await logins.get(recordIdOf(hash));
    if (login?.hash !== hash) return unknownCode;
    if (hasEnded(login, runtime.now())) {
      return { code: "expired_key", message: `This code was good for ten minutes, which are over. ${again}` };
    }
    if (login.account === undefined) return login;
    const account = await accounts.get(login.account);
    if (account === undefined || !isOwnedBy(login, account)) return unknownCode;
    if (!account.disabled) return login;
    return {
      code: "account_disabled",
      message: `The account ${account.name} is disabled. Ask the operator.`,
    };
  }

  async function add(
    fields: Pick<SessionRecord, "account" | "incarnation" | "operator" | "person">,
    lease?: Lease,
  ): Promise<BegunSession> {
    const token = createKey(runtime.random, sessionPrefix);
    const hash = hashKey(token);
    const id = recordIdOf(hash);
    const record: SessionRecord = { ...frame(hash, sessionMs), id: `ses_${id}`, ...defined(fields) };
    if (!(await sessions.add(id, record, lease))) throw new Error("a session with this id exists");
    return { token, record };
  }

  /** Reads an account that a session may begin in. @throws ToolError not_found; of `refusal` for one that is disabled. */
  async function requireEnabled(name: string, refusal: (name: string) => ToolError): Promise<AccountRecord> {
    const account = await requireAccount(accounts, name);
    if (account.disabled) throw refusal(account.name);
    return account;
  }

  /** Exchanges the code of a checked login. */
  async function exchange(login: LoginRecord, lease?: Lease): Promise<BegunSession> {
    const { account, incarnation, operator } = login;
    // The session is stored first: if a full disk refuses it, the code is still valid. The token is returned only
    // after this call alone has taken the code.
    const begun = await add(defined({ account, incarnation, operator }), lease);
    const discard = (): Promise<void> => sessions.remove(recordIdOf(begun.record.hash)).catch(() => {});
    try {
      if (await logins.take(recordIdOf(login.hash))) return begun;
    } catch (error) {
      await discard();
      throw error;
    }
    await discard();
    throw new ToolError(unknownCode.code, unknownCode.message);
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
    checkCode,
    get,
    live,
    async issueCode(name) {
      const refusal = (account: string): ToolError =>
        refused("/account", `The account ${account} is disabled, and so would its session be.`);
      if (name !== undefined) await requireEnabled(name, refusal);
      // Every session begins with a code or in `open`, so this bounds the records to those of the last day.
      await sweepSessions(store, runtime.now());
      const code = createLoginCode(runtime.random);
      const hash = hashLoginCode(code) ?? "";
      const id = recordIdOf(hash);
      const keep = async (whose: Owned & { operator?: true }, lease?: Lease): Promise<IssuedLogin> => {
        const record: LoginRecord = { ...frame(hash, codeMs), id: `login_${id}`, ...whose };
        if (!(await logins.add(id, record, lease))) throw new Error("a code with this id exists");
        return { code, record };
      };
      if (name === undefined) return keep({ operator: true });
      return hold(name, async (lease) => keep(belongingTo(await requireEnabled(name, refusal)), lease));
    },
    async begin(code) {
      const login = await checkCode(code);
      if (!("hash" in login)) throw new ToolError(login.code, login.message);
      if (login.account === undefined) return exchange(login);
      return hold(login.account, async (lease) => {
        const still = await checkCode(code);
        if (!("hash" in still)) throw new ToolError(still.code, still.message);
        return exchange(still, lease);
      });
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
      if ("account" in whose) await requireEnabled(whose.account, refusal);
      await sweepSessions(store, runtime.now());
      await makeRoom(store, person);
      if ("operator" in whose) return add({ operator: true, person });
      return hold(whose.account, async (lease) =>
        add({ ...belongingTo(await requireEnabled(whose.account, refusal)), person }, lease),
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

/** A used code is deleted, so it cannot be distinguished from one that was never issued. */
const unknownCode: CodeFault = {
  code: "unknown_key",
  message: `This code was never issued here, or it has been used: each is good for one session. ${again}`,
};

/** Crockford's base 32: no letters that look like digits, and no U. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 20;
const groupLength = 5;

/**
 * Creates a code of 20 characters, 5 bits each, in groups for reading aloud: 100 bits cannot be guessed in ten minutes.
 */
export function createLoginCode(random: (count: number) => Uint8Array): string {
  // 256 is a multiple of 32, so no character is favoured.
  const text = [...random(length)].map((byte) => alphabet[byte % 32]).join("");
  return text.match(new RegExp(`.{${groupLength}}`, "g"))?.join("-") ?? text;
}

/** Returns the hash of a code, however it was typed; undefined if it is not one. */
export function hashLoginCode(typed: string): string | undefined {
  if (typed.length > 100) return undefined;
  const plain = typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return plain.length === length && [...plain].every((letter) => alphabet.includes(letter))
    ? hashKey(plain)
    : undefined;
}
