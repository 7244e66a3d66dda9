import { sticky } from "./sticky.ts";

/** Finds e-mail addresses (RFC 5322 §3.4.1, with letters of any script), also with %40 as in URLs. */
export function* findEmails(text: string): Generator<{ index: number; end: number }> {
  for (const sign of ["@", "%40"])
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length)) {
      const index = startOf(text, at, sign);
      const end = index < at ? endOf(text, at + sign.length) : -1;
      if (end > 0) yield { index, end };
    }
}

const maxLocal = 64;

/** Returns the start of the local part that ends at `at`, or `at`. */
function startOf(text: string, at: number, sign: string): number {
  const window = text.slice(Math.max(0, at - maxLocal - 1), at);
  const local = (sign === "@" ? atext : encoded).exec(window)?.[0] ?? "";
  // These separate fields more often than they are part of a name: a=ann@example.com, /ann@example.com, |ann@example.com.
  const plain = /(?<=[/=?&|{`*#'])[\p{L}\p{N}._%+-]+$/u.exec(local)?.[0];
  // o'neil has the sign between letters.
  const name = plain === undefined || /\p{L}'$/u.test(local.slice(0, -plain.length)) ? local : plain;
  const start = at - name.replace(/^['`.]+/, "").length;
  // A longer run is something else, such as data in base64.
  return at - start > maxLocal ? at : start;
}

const atext = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u;
const encoded = /[\p{L}\p{N}._%+-]+$/u;

/** Returns the end of the domain that begins at `at`, or -1 if its last label cannot be one: 1.2.3 and 2x.png. */
function endOf(text: string, at: number): number {
  const found = sticky(/[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/uy, text, at);
  for (let end = found; end > at; end = text.lastIndexOf(".", end - 1)) {
    const domain = text.slice(at, end);
    const last = domain.slice(domain.lastIndexOf(".") + 1);
    if (last === domain) return -1;
    if (/^(?:\p{L}{2,63}|xn--[a-z\d-]{2,59})$/u.test(last) && !files.test(last)) return end;
  }
  return -1;
}

/** Endings of files that are no top-level domain. */
const files =
  /^(?:png|jpe?g|gif|svg|webp|avif|ico|css|scss|less|js|mjs|cjs|jsx|ts|tsx|json|html?|xml|ya?ml|toml|map|gz|tgz|txt|log)$/i;
