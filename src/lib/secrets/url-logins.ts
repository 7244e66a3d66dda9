import type { Secret, SecretRule } from "./rule.ts";
import { isPasswordLike, isPlaceholder, isRandom } from "./values.ts";

export const urlPassword: SecretRule = { id: "url-password", title: "a password in a URL" };

/** A login in a URL (RFC 3986 §3.2.1). */
export interface UrlLogin {
  /** The password, or a token in place of the user's name. */
  index: number;
  end: number;
  user: string;
  host: string;
}

/** Finds logins in URLs of any scheme. */
export function* findUrlLogins(text: string): Generator<UrlLogin> {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    login.lastIndex = at;
    const found = login.exec(text);
    if (found === null) continue;
    const value = (found[2] ?? found[3]) as string;
    const end = login.lastIndex - 1;
    const host = /^\[?[\w.:%${}-]{0,100}/.exec(text.slice(end + 1, end + 101))?.[0] ?? "";
    yield { index: end - value.length, end, user: found[1] ?? "", host };
  }
}

const login = /:\/\/(?:([^\s/:@"'`<>]{0,256}):([^\s/@"'`<>]{1,256})|([\w.~-]{20,256}))@/y;

/** Finds passwords in URLs. A password that everybody knows, or for this machine, is worth a warning. */
export function* findUrlPasswords(text: string): Generator<Secret> {
  for (const { index, end, user, host } of findUrlLogins(text)) {
    const value = text.slice(index, end);
    const scheme = /[a-z][a-z\d+.-]{1,20}$/.test(
      text.slice(Math.max(0, index - 300), index - user.length - 4),
    );
    if (!scheme || value.length < 3 || isPlaceholder(value)) continue;
    // The key of a client in an address of Sentry is public.
    const alone = user === "" && text[index - 1] !== ":";
    if (alone && (!isRandom(value, 60) || /sentry/.test(host))) continue;
    const known =
      value === user ||
      /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|(?:[\w-]+\.)*example(?:\.\w+)?|host|hostname)(?=:|$)/.test(
        host,
      ) ||
      !(isPasswordLike(value) || isRandom(value, 26));
    yield { rule: urlPassword, index, end, ...(known && { warning: true }) };
  }
}
