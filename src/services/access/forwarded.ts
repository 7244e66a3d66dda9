import { splitHeader, unquoteHeader } from "../../lib/header-list.ts";

/**
 * Returns the `for` of each element of a Forwarded field, whose lines are joined with commas (RFC 7239 §4). It is "", an
 * unknown hop, for an element without one, or that repeats a parameter or breaks the grammar. The list is empty if a
 * quotation mark is in a wrong place, because then it is unclear where elements end. Proxies quote what callers choose:
 * `for=192.0.2.60;host="a,for=198.51.100.66"` is one hop.
 */
export function readForwarded(field: string): string[] {
  const elements = splitHeader(field, ",").map(readElement);
  return elements.includes(undefined) ? [] : elements.map((hop) => hop ?? "");
}

/** Returns undefined for a quotation mark in a wrong place. */
function readElement(element: string): string | undefined {
  const values = new Map<string, string>();
  let isValid = true;
  for (const pair of splitHeader(element, ";")) {
    if (pair === "") continue;
    const [, name = "", text = ""] = form.exec(pair) ?? [];
    // Several proxies omit the quotation marks that a port and an IPv6 address need.
    const value = address.test(text) ? text : unquoteHeader(text);
    if (value === undefined && pair.includes('"')) return undefined;
    const key = name.toLowerCase();
    isValid &&= value !== undefined && !values.has(key);
    values.set(key, value ?? "");
  }
  return isValid ? (values.get("for") ?? "") : "";
}

const form = /^([!#$%&'*+.^_`|~\w-]+)=(.+)$/s;
const address = /^[\w.:[\]-]+$/;
