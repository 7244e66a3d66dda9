import { findSecrets, secretRules } from "./find.ts";
import { findPersonal, personalKinds, type Span } from "./personal.ts";

export const redactionKinds = ["email", "ip", "jwt", "key", "card", "iban"] as const;

export type RedactionKind = (typeof redactionKinds)[number];

/** Puts the mask, with {kind} in it replaced, in place of everything of these kinds. */
export function redact(text: string, kinds: readonly RedactionKind[], mask: string): string {
  const spans: Span[] = personalKinds
    .filter((kind) => kinds.includes(kind))
    .flatMap((kind) => [...findPersonal(text, kind)]);
  const rules = secretRules.filter(({ id }) => kinds.includes(id === "jwt" ? "jwt" : "key"));
  for (const { rule, index, end } of findSecrets(text, rules, Infinity)) {
    const kind = rule.id === "jwt" ? "jwt" : "key";
    spans.push({ kind, index, end: rule.id === "private-key" ? endOfKey(text, end) : end });
  }
  return replaceSpans(text, spans, (kind) => mask.replaceAll("{kind}", kind));
}

/** A private key ends with its END line; one that is cut off, with the last character that can be of it. */
function endOfKey(text: string, from: number): number {
  const window = text.slice(from, from + 32_768);
  const next = window.indexOf("-----BEGIN");
  const body = next < 0 ? window : window.slice(0, next);
  const end = /-----END [A-Z\d ]{1,60}-----/.exec(body) ?? /^(?:[A-Za-z\d+/=]|\\[nr]|[\r\n\t])*/.exec(body);
  return from + (end === null ? 0 : end.index + end[0].length);
}

/** Of spans that overlap, the first and of those the longest wins, and swallows what reaches beyond it. */
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
