import type { Script } from "./script.ts";

/** A word of an instruction, between white space that is not quoted. */
export interface Word {
  /** As written, with its quotes. */
  raw: string;
  /** Without quotes and escapes. */
  value: string;
  /** In the script, in UTF-16 code units. */
  at: number;
  end: number;
  /** Whether a quote in it is not closed. */
  open: boolean;
}

/** Splits a text at white space; quotes and the escape character protect it, as in BuildKit's parser. */
export function splitWords(text: string, escape: string, from = 0): Word[] {
  const words: Word[] = [];
  let at = from;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at++;
      continue;
    }
    const start = at;
    let value = "";
    let quote = "";
    for (; at < text.length; at++) {
      const unit = text.charAt(at);
      if (quote === "" && /\s/.test(unit)) break;
      if (unit === escape && quote !== "'" && at + 1 < text.length) value += text.charAt(++at);
      else if (quote === "" && (unit === "'" || unit === '"')) quote = unit;
      else if (unit === quote) quote = "";
      else value += unit;
    }
    words.push({ raw: text.slice(start, at), value, at: start, end: at, open: quote !== "" });
  }
  return words;
}

/** A name with a value in ENV, LABEL or ARG. */
export interface Pair {
  name: string;
  /** Undefined if there is none, as in `ARG NAME`. */
  value: string | undefined;
  /** The value as written. */
  raw: string;
  at: number;
  open: boolean;
}

/** Reads the pairs of ENV, LABEL and ARG. `legacy` is the form of ENV and LABEL without an equals sign: `ENV NAME the value`. */
export function readPairs(
  { text }: Script,
  escape: string,
  keyword: string,
): { pairs: Pair[]; legacy: boolean } {
  const words = splitWords(text, escape);
  const [first] = words;
  if (first === undefined) return { pairs: [], legacy: false };
  if (keyword !== "ARG" && !first.raw.includes("=")) {
    const raw = text.slice(first.end).trim();
    const value = words.length === 1 ? undefined : splitWords(raw, escape).map((word) => word.value);
    const pair = { name: first.value, value: value?.join(" "), raw, at: first.at, open: false };
    return { pairs: [pair], legacy: words.length > 1 };
  }
  const pairs = words.map(({ raw, at, open }): Pair => {
    const equals = raw.indexOf("=");
    const name = equals < 0 ? raw : raw.slice(0, equals);
    const value = equals < 0 ? undefined : raw.slice(equals + 1);
    return {
      name: splitWords(name, escape)[0]?.value ?? "",
      value: value === undefined ? undefined : (splitWords(value, escape)[0]?.value ?? ""),
      raw: value ?? "",
      at,
      open,
    };
  });
  return { pairs, legacy: false };
}

/** Returns the strings of the JSON form of an instruction, undefined if it is none: anything else is a command for the shell. */
export function toExec(text: string): string[] | undefined {
  const bare = text.trim();
  if (!bare.startsWith("[") || !bare.endsWith("]")) return undefined;
  const strings: string[] = [];
  const item = /\s*"([^"\\\n]*(?:\\.[^"\\\n]*)*)"\s*(,|\]$)/y;
  if (/^\[\s*\]$/.test(bare)) return strings;
  for (item.lastIndex = 1; item.lastIndex < bare.length;) {
    const [, inner, after] = item.exec(bare) ?? [];
    const value = inner === undefined ? undefined : unescape(inner);
    if (value === undefined) return undefined;
    strings.push(value);
    if (after === "]") return strings;
  }
  return undefined;
}

function unescape(inner: string): string | undefined {
  if (!inner.includes("\\")) return inner;
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return undefined;
  }
}

/** The names of variables that a text refers to, each with its place in the text and whether it has a default. */
export function* findVariables(text: string): Generator<{ name: string; at: number; hasDefault: boolean }> {
  for (const { 0: found, 1: braced, 2: operator, 3: bare, index } of text.matchAll(
    /\\.|\$(?:\{([A-Za-z_]\w*)(:?[-+?])?|([A-Za-z_]\w*))/gs,
  )) {
    if (found.startsWith("\\")) continue;
    yield { name: braced ?? bare ?? "", at: index, hasDefault: operator?.endsWith("-") === true };
  }
}
