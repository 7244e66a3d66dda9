import { DocumentFault } from "../fault.ts";

/** A fault of a line. It becomes an Error only if it is thrown. */
export interface EnvLineFault {
  message: string;
  rule: string;
  /** In UTF-16 code units. */
  index: number;
}

export interface EnvEntry {
  key: string;
  value: string;
  /** In UTF-16 code units. */
  keyAt: number;
  valueAt: number;
  quote: "" | '"' | "'" | "`";
  /** The `#` that ends an unquoted value, and whether white space is before it. */
  hash: { at: number; spaced: boolean } | undefined;
}

const lineStart = /[ \t\r\n]*/y;
const exported = /^export +/;
const blanks = /[ \t]*/y;
const afterQuote = /[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/y;

/**
 * Reads a .env file as Node's `util.parseEnv` does: `export` before a name, three kinds of multi-line quotes,
 * `\n` in double quotes, `#` for comments. What that ignores silently (a line without `=`, text after a
 * closing quote, an unclosed quote) is reported to `onFault`, and the line is skipped.
 */
export function lexEnv(
  text: string,
  onEntry: (entry: EnvEntry) => void,
  onFault: (fault: EnvLineFault) => void,
): void {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  const report = (message: string, index: number, rule: string): void => onFault({ message, rule, index });
  const closers = createCloser(text);
  let nextEquals = -1;
  // Searched again only after it was passed, so that lines without one are not quadratic.
  const equalsFrom = (from: number): number => {
    if (nextEquals < from) nextEquals = text.indexOf("=", from);
    if (nextEquals < 0) nextEquals = text.length;
    return nextEquals;
  };
  for (;;) {
    lineStart.lastIndex = at;
    lineStart.test(text);
    at = lineStart.lastIndex;
    if (at >= text.length) return;
    const newLine = text.indexOf("\n", at);
    const end = newLine < 0 ? text.length : newLine;
    if (text[at] === "#") {
      at = end;
      continue;
    }
    const equals = equalsFrom(at);
    if (equals >= end) {
      report("This line is not an assignment: '=' is missing.", at, "no-assignment");
      at = end;
      continue;
    }
    const keyAt = at + (exported.exec(text.slice(at, Math.min(equals, at + 256)))?.[0].length ?? 0);
    const key = trimEnd(text.slice(keyAt, equals));
    blanks.lastIndex = equals + 1;
    blanks.test(text);
    const valueAt = blanks.lastIndex;
    const fault = faultOfKey(key);
    if (fault !== undefined) report(fault, keyAt, "key");
    const first = text[valueAt];
    const quote = first === '"' || first === "'" || first === "`" ? first : "";
    if (quote !== "") {
      const close = closers(quote, valueAt + 1);
      if (close < 0) {
        report("This quote is never closed.", valueAt, "unclosed-quote");
        at = end;
        continue;
      }
      afterQuote.lastIndex = close + 1;
      if (!afterQuote.test(text)) {
        report(
          "Only a comment may follow the closing quote; a quote cannot be escaped, so use another kind.",
          close + 1,
          "quote",
        );
        const next = text.indexOf("\n", close);
        at = next < 0 ? text.length : next;
        continue;
      }
      at = afterQuote.lastIndex;
      const raw = text.slice(valueAt + 1, close).replaceAll("\r", "");
      const value = quote === '"' ? raw.replaceAll("\\n", "\n") : raw;
      if (fault === undefined) onEntry({ key, value, keyAt, valueAt, quote, hash: undefined });
      continue;
    }
    at = end;
    const line = text.slice(valueAt, end).replace(/\r$/, "");
    const carriage = line.indexOf("\r");
    if (carriage >= 0) {
      report(
        "The value contains a carriage return; end lines with LF or CR LF.",
        valueAt + carriage,
        "line-end",
      );
      continue;
    }
    const hash = line.indexOf("#");
    const value = trimEnd(hash < 0 ? line : line.slice(0, hash));
    const hashAt = valueAt + hash;
    const spaced = text[hashAt - 1] === " " || text[hashAt - 1] === "\t";
    if (fault === undefined)
      onEntry({ key, value, keyAt, valueAt, quote, hash: hash < 0 ? undefined : { at: hashAt, spaced } });
  }
}

/** An `onFault` that refuses the document at its first fault. */
export function refuseLine({ message, rule, index }: EnvLineFault): never {
  throw new DocumentFault(message, { index }, rule);
}

/** Finds closing quotes; searches for each kind again only after the last one was passed. */
function createCloser(text: string): (quote: string, from: number) => number {
  const last = new Map<string, number>();
  return (quote, from) => {
    // After the last quote there is none, however often that is asked.
    if (from > (last.get(quote) ?? (last.set(quote, text.lastIndexOf(quote)).get(quote) as number)))
      return -1;
    return text.indexOf(quote, from);
  };
}

function faultOfKey(key: string): string | undefined {
  if (key === "") return "The name before '=' is missing.";
  return /[\s"'`#]/.test(key) ? "A name cannot contain a space, a quote or '#'." : undefined;
}

/** Trims only spaces and tabs: other Unicode spaces are part of the value. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return text.slice(0, end);
}
