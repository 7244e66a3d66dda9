import { assignedRules } from "./assigned.ts";
import { findSecrets, secretRules } from "./find.ts";
import { findAuthorization, findCommandLine, findCookies } from "./headers.ts";
import { findMasked } from "./masked.ts";
import { findPersonal, personalKinds, type Span } from "./personal.ts";
import { findUrlLogins } from "./url-logins.ts";
import { isReference } from "./values.ts";

export const redactionKinds = [...personalKinds, "jwt", "key", "auth", "cookie", "assignment"] as const;

export type RedactionKind = (typeof redactionKinds)[number];

/**
 * Replaces every match of these kinds with the mask, in which {kind} is replaced.
 * @param own Further ranges, found by the caller's patterns.
 */
export function redact(
  text: string,
  kinds: readonly RedactionKind[],
  mask: string,
  own: readonly Span[] = [],
): string {
  const wanted = (kind: RedactionKind): boolean => kinds.includes(kind);
  const spans: Span[] = [...own];
  // Omits the rules based on names: the searches below find more.
  const rules = secretRules.filter(({ id }) => {
    const kind = contextKinds[id];
    return wanted(id === "jwt" ? "jwt" : "key") && (kind === undefined || !wanted(kind));
  });
  for (const { rule, index, end } of findSecrets(text, rules, Infinity, true)) {
    const kind = rule.id === "jwt" ? "jwt" : (contextKinds[rule.id] ?? "key");
    spans.push({ kind, index, end: rule.id === "private-key" ? endOfKey(text, end) : end });
  }
  const userinfo = wanted("key")
    ? [...findUrlLogins(text)].map(({ index, end }): Span => ({ kind: "key", index, end }))
    : [];
  const hosts = new Set(userinfo.map(({ end }) => end));
  for (const kind of personalKinds)
    if (wanted(kind))
      // The user and host of a URL look like an e-mail address but are not one.
      for (const span of findPersonal(text, kind))
        if (kind !== "email" || !hosts.has(text.indexOf("@", span.index))) spans.push(span);
  const credentials = [
    ...userinfo,
    ...findAuthorization(text),
    ...findCommandLine(text),
    ...findCookies(text),
  ];
  for (const span of credentials)
    if (wanted(span.kind as RedactionKind) && !isReference(text.slice(span.index, span.end)))
      spans.push(span);
  if (wanted("assignment"))
    for (const place of findMasked(text)) spans.push({ kind: "assignment", ...place });
  return replaceSpans(text, spans, (kind) => mask.replaceAll("{kind}", kind));
}

/** The kinds of secret-scanner rules that are based on names. */
const contextKinds: Readonly<Record<string, RedactionKind>> = {
  authorization: "auth",
  "session-cookie": "cookie",
  ...Object.fromEntries(assignedRules.map(({ id }) => [id, "assignment"])),
};

/** A private key ends with its END line; a truncated one with its last possible character. */
function endOfKey(text: string, from: number): number {
  const window = text.slice(from, from + 32_768);
  const next = window.indexOf("-----BEGIN");
  const body = next < 0 ? window : window.slice(0, next);
  const end = /-----END [A-Z\d ]{1,60}-----/.exec(body) ?? /^(?:[A-Za-z\d+/=]|\\[nr]|[\r\n\t])*/.exec(body);
  return from + (end === null ? 0 : end.index + end[0].length);
}

/** Merges overlapping spans before it replaces them: the first one counts, or the longest of those that start together. */
function replaceSpans(text: string, spans: Span[], write: (kind: string) => string): string {
  spans.sort((a, b) => a.index - b.index || b.end - a.end);
  const parts: string[] = [];
  let last = 0;
  let open: Span | undefined;
  for (const span of spans) {
    if (open !== undefined && span.index < open.end) {
      open.end = Math.max(open.end, span.end);
      continue;
    }
    if (open !== undefined) last = close(open);
    open = { ...span };
  }
  if (open !== undefined) last = close(open);
  parts.push(text.slice(last));
  return parts.join("");

  function close({ kind, index, end }: Span): number {
    parts.push(text.slice(last, index), write(kind));
    return end;
  }
}
