import { ToolError, type ErrorCode } from "../../../catalog/errors.ts";
import { refused } from "../../../catalog/refused.ts";
import type { Lease } from "../../../storage/lease.ts";
import type { LoginRecord, Owned } from "../../../storage/records.ts";
import { belongingTo, isOwnedBy } from "../incarnation.ts";
import { hashKey, recordIdOf } from "../key-format.ts";
import { requireEnabled } from "../require-account.ts";
import type { SessionsDeps } from "./sessions.ts";
import { hasEnded, lifeOf } from "./state.ts";
import { sweepSessions } from "./sweep.ts";

/** A code for one sign-in; shown once. */
export interface IssuedLogin {
  code: string;
  record: LoginRecord;
}

/** The reason why a code is refused. */
export interface CodeFault {
  code: ErrorCode;
  message: string;
}

/** Codes for one sign-in each. */
export interface LoginCodes {
  /** Issues a code for one account, or for the operator if none is named. */
  issue(account?: string): Promise<IssuedLogin>;
  /** Checks whether a code would be accepted now. */
  check(code: string): Promise<LoginRecord | CodeFault>;
  /** Returns the login of a code that is accepted now. @throws ToolError for the fault that `check` returns. */
  require(code: string): Promise<LoginRecord>;
  /** Uses up the code of a login. @throws ToolError unknown_key if another caller has used it, on any node. */
  take(login: LoginRecord): Promise<void>;
}

const codeMs = 600_000;
const again = "penknife admin login prints another.";

export function createLoginCodes({ store, runtime }: SessionsDeps): LoginCodes {
  const { accounts, logins, hold } = store;

  async function check(code: string): Promise<LoginRecord | CodeFault> {
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

  return {
    check,
    async issue(name) {
      const refusal = (account: string): ToolError =>
        refused("/account", `The account ${account} is disabled, and so would its session be.`);
      if (name !== undefined) await requireEnabled(accounts, name, refusal);
      // Every session begins with a code or in `Sessions.open`, so this bounds the records to those of the last day.
      await sweepSessions(store, runtime.now());
      const code = createLoginCode(runtime.random);
      const hash = hashLoginCode(code) ?? "";
      const id = recordIdOf(hash);
      const keep = async (whose: Owned & { operator?: true }, lease?: Lease): Promise<IssuedLogin> => {
        const record: LoginRecord = { ...lifeOf(hash, runtime.now(), codeMs), id: `login_${id}`, ...whose };
        if (!(await logins.add(id, record, lease))) throw new Error("a code with this id exists");
        return { code, record };
      };
      if (name === undefined) return keep({ operator: true });
      return hold(name, async (lease) =>
        keep(belongingTo(await requireEnabled(accounts, name, refusal)), lease),
      );
    },
    async require(code) {
      const login = await check(code);
      if ("hash" in login) return login;
      throw new ToolError(login.code, login.message);
    },
    async take({ hash }) {
      if (await logins.take(recordIdOf(hash))) return;
      throw new ToolError(unknownCode.code, unknownCode.message);
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
