import { isIpv4, isIpv6 } from "./format-host.ts";

const escaped = "%[\\dA-Fa-f]{2}";
const plain = "A-Za-z\\d\\-._~!$&'()*+,;=";
/** `ucschar` and `iprivate` of RFC 3987 §2.2. */
const letters =
  "\\u00a0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef\\u{10000}-\\u{1fffd}\\u{20000}-\\u{2fffd}\\u{30000}-\\u{3fffd}\\u{40000}-\\u{4fffd}\\u{50000}-\\u{5fffd}\\u{60000}-\\u{6fffd}\\u{70000}-\\u{7fffd}\\u{80000}-\\u{8fffd}\\u{90000}-\\u{9fffd}\\u{a0000}-\\u{afffd}\\u{b0000}-\\u{bfffd}\\u{c0000}-\\u{cfffd}\\u{d0000}-\\u{dfffd}\\u{e1000}-\\u{efffd}";
const reserved = "\\ue000-\\uf8ff\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}";

interface Grammar {
  userinfo: RegExp;
  host: RegExp;
  path: RegExp;
  query: RegExp;
  fragment: RegExp;
}

const toGrammar = (more: string, moreQuery: string): Grammar => {
  const all = (extra: string): RegExp => new RegExp(`^(?:[${plain}${more}${extra}]|${escaped})*$`, "u");
  return {
    userinfo: all(":"),
    host: all(""),
    path: all(":@\\/"),
    query: all(`:@\\/?${moreQuery}`),
    fragment: all(":@\\/?"),
  };
};

const uri = toGrammar("", "");
const iri = toGrammar(letters, reserved);

export const isUri = (text: string): boolean => fits(text, uri, true);
export const isUriReference = (text: string): boolean => fits(text, uri, false);
export const isIri = (text: string): boolean => fits(text, iri, true);
export const isIriReference = (text: string): boolean => fits(text, iri, false);

/** RFC 3986, appendix A, and RFC 3987 §2.2. */
function fits(text: string, grammar: Grammar, absolute: boolean): boolean {
  const [, scheme, authority, path = "", query = "", fragment = ""] =
    /^(?:([^:/?#]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text) ?? [];
  if (scheme === undefined ? absolute : !/^[a-z][a-z\d+.-]*$/i.test(scheme)) return false;
  if (authority !== undefined && !isAuthority(authority, grammar)) return false;
  return grammar.path.test(path) && grammar.query.test(query) && grammar.fragment.test(fragment);
}

function isAuthority(authority: string, grammar: Grammar): boolean {
  const at = authority.lastIndexOf("@");
  if (at >= 0 && !grammar.userinfo.test(authority.slice(0, at))) return false;
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(authority.slice(at + 1)) ?? [];
  if (host === undefined || (port !== undefined && !/^\d*$/.test(port))) return false;
  if (!host.startsWith("[")) return isIpv4(host) || grammar.host.test(host);
  const literal = host.slice(1, -1);
  return isIpv6(literal) || /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(literal);
}

const variable = `(?:\\w|${escaped})(?:\\.?(?:\\w|${escaped}))*(?::[1-9]\\d{0,3}|\\*)?`;
const template = new RegExp(
  `^(?:[!#$&-;=?@A-Z[\\]_a-z~\\u0080-\\u{10ffff}]|${escaped}|\\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\\})*$`,
  "u",
);

/** RFC 6570 §2. */
export const isUriTemplate = (text: string): boolean => template.test(text);
