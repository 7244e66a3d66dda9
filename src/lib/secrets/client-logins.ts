import type { Secret, SecretRule } from "./rule.ts";
import { sticky } from "./sticky.ts";
import { isPasswordLike, isPlaceholder, isRandom } from "./values.ts";

const cisco: SecretRule = { id: "cisco-password", title: "a password of a Cisco configuration" };
const oracle: SecretRule = { id: "oracle-login", title: "a password of an Oracle client" };

/** Rules for logins in configurations of devices and calls of clients. */
export const clientRules: readonly SecretRule[] = [cisco, oracle];

/**
 * Finds passwords of devices and of database clients.
 * @param hints Where the name of a secret may begin.
 */
export function* findClientLogins(text: string, hints: readonly number[]): Generator<Secret> {
  for (const hint of hints) {
    const at = sticky(/(?:secret|password|key|key-string)[ \t]{1,4}(?=[05-9][ \t]{1,4}\S)/y, text, hint);
    if (at >= 0) yield* findCisco(text, hint, at);
  }
  for (const mark of ["sqlplus", "jdbc:oracle:"])
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length))
      yield* findOracle(text, at);
}

/** Types of passwords of IOS: 0 is plain, 7 is reversible, 5, 8 and 9 are hashes, 6 is encrypted. */
const forms: Readonly<Record<string, RegExp>> = {
  0: /^[!-~]{4,128}$/,
  5: /^\$1\$[\w./]{1,8}\$[\w./]{22}$/,
  6: /^[A-Za-z\]^_`[\\]{16,256}$/,
  7: /^(?:0\d|1[0-5])(?:[\dA-F]{2}){3,64}$/i,
  8: /^\$8\$[\w./]{14}\$[\w./]{43}$/,
  9: /^\$(?:9|14)\$[\w./]{4,14}\$[\w./]{43}$/,
};

const command =
  /(?:^|\n)[ \t]{0,8}(?:enable|username|neighbor|tacacs|radius|server|ip|ipv6|snmp-server|ppp|standby|vrrp|crypto|aaa|password|secret|key|key-string|pre-shared-key|authentication)[^\n]{0,120}$/;

function* findCisco(text: string, start: number, at: number): Generator<Secret> {
  const type = text[at] as string;
  const index = sticky(/\d[ \t]{1,4}/y, text, at);
  const end = sticky(/[^\s"',;]{4,256}/y, text, index);
  const value = end < 0 ? "" : text.slice(index, end);
  if (forms[type]?.test(value) !== true) return;
  if (!command.test(text.slice(Math.max(0, start - 160), start + 3))) return;
  if (type === "0" && (isPlaceholder(value) || !(isPasswordLike(value) || isRandom(value, 24)))) return;
  yield { rule: cisco, index, end, name: text.slice(start, sticky(/[\w-]+/y, text, start)) };
}

/** sqlplus -s ann/password@db and jdbc:oracle:thin:ann/password@host. */
const login =
  /(?:sqlplus(?:\.exe)?(?:[ \t]{1,4}-\w{1,20}(?:[ \t]{1,4}\d{1,3})?){0,4}[ \t]{1,4}["']?|jdbc:oracle:(?:thin|oci8?|kprb):)[\w$#.-]{1,64}\/("?)([^\s"'@/]{3,128})\1(?=@|["'\s]|$)/y;

function* findOracle(text: string, at: number): Generator<Secret> {
  login.lastIndex = at;
  const found = login.exec(text);
  if (found === null) return;
  const value = found[2] as string;
  const end = login.lastIndex - (found[1] as string).length;
  // &x is a variable of SQL*Plus.
  if (isPlaceholder(value) || /^&\w+$/.test(value)) return;
  // tiger of scott and its like are known to everybody.
  const known = !(isPasswordLike(value) || isRandom(value, 24));
  yield { rule: oracle, index: end - value.length, end, ...(known && { warning: true }) };
}
