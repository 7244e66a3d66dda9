import { type BareValue, readBare } from "./bare-values.ts";
import { sticky } from "./sticky.ts";
import { classifyName, type NameKind, nameHint } from "./names.ts";

/** A value assigned to the name of a secret, in any language or notation. */
export interface Assignment extends BareValue {
  kind: NameKind;
  /** Whether the value is in quotes or between tags. */
  quoted: boolean;
}

/** Longest name and value read; they bound the work at each place. */
const maxName = 100;
const maxValue = 1000;
const longValue = 256;

const nameUnit = /[\w.$-]/;
const restOfName = /[\w$-]*(?:\.[\w$-]+)*/y;

/** Lists values assigned to the names of secrets, in text order and in linear time. */
export function* findAssignments(text: string): Generator<Assignment> {
  const search = new RegExp(nameHint);
  let done = 0;
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    let start = match.index;
    while (start > done && nameUnit.test(text.charAt(start - 1))) start--;
    done = Math.max(search.lastIndex, sticky(restOfName, text, match.index));
    search.lastIndex = done;
    if (done - start > maxName) continue;
    const kind = classifyName(text.slice(start, done));
    // A file name, such as /src/token.ts, is more often followed by a digest than by a secret.
    if (kind === undefined || (kind === "related" && text[start - 1] === "/")) continue;
    for (const value of readValues(text, start, done, kind)) {
      yield value;
      // Skips names within a long value, so that the total work stays linear.
      if (value.block === true || value.end - value.index > longValue) done = search.lastIndex = value.end;
    }
  }
}

function* readValues(text: string, start: number, end: number, kind: NameKind): Generator<Assignment> {
  const toQuoted = (from: number, to: number): Assignment => ({
    kind,
    index: from,
    end: to,
    tail: to,
    quoted: true,
    config: true,
  });
  const tag = /[<:]/.test(text.charAt(start - 1)) ? sticky(openTag, text, end) : -1;
  if (tag >= 0) {
    const close = sticky(/[^<]{1,1000}(?=<\/)/y, text, tag);
    if (close >= 0) yield toQuoted(tag, close);
    return;
  }
  const operator = findOperator(text, start, end);
  if (operator === undefined) return;
  const list = sticky(/\[\s{0,80}(?=\\{0,3}["'])/y, text, operator.to);
  for (let at = Math.max(list, operator.to); at >= 0;) {
    const found = readQuoted(text, at);
    if (found === undefined) break;
    yield toQuoted(found.from, found.to);
    if (list < 0) return;
    at = sticky(/\s{0,8},\s{0,80}(?=\\{0,3}["'])/y, text, found.next);
  }
  if (list >= 0 || operator.quotedOnly) return;
  for (const value of readBare(text, operator.to, start, operator.spaced))
    yield { kind, quoted: false, ...value };
}

const openTag = /(?:[ \t][^<>\n]{0,200})?(?<!\/)>/y;

/** Matches the text between a name and its value: the closing quote of the name, a type, and an operator. */
const assign =
  /(?:\\{0,3}["'`]\]?|(?<=\[:\w{1,100})\])?[ \t]{0,8}(?:\[\d{0,5}\])?[?!]?[ \t]{0,16}(?:::?[ \t]{0,4}[&'*\w<>[\]?.]{1,40}(?: \| [\w<>[\]]{1,40}){0,4}[ \t]{0,4}=(?![=>])|(?:string|\*string|\[\]byte)[ \t]{1,4}=(?!=)|:=|=>|:-|<-|=(?![=>~])|:(?![:=?+-])|%3[dD])/y;
/** Matches the operator before a default value: `process.env.DB_PASSWORD || "x"`. */
const fallback = /(?:["'`]\])?\)?[ \t\n]{0,40}(?:\|\|=?|\?\?=?|\?:|\bor\b)/y;
/** `{"name": "DB_PASSWORD", "value": "x"}`, also in YAML and XML. */
const pair =
  /(?:\\{0,3}["'][ \t]{0,4},?\s{0,80}|[ \t]{0,4}\r?\n[ \t]{0,40})\\{0,3}["']?[vV]alue\\{0,3}["']?[ \t]{0,8}[:=]/y;
const nextArgument = /\\{0,3}["'`][ \t]{0,8},/y;

interface Operator {
  /** Start of the value. */
  to: number;
  /** Whether white space surrounds the operator, as in code. */
  spaced: boolean;
  quotedOnly: boolean;
}

function findOperator(text: string, start: number, end: number): Operator | undefined {
  const behind = (at: number, quotedOnly: boolean): Operator => {
    const to = sticky(/[ \t]{0,16}(?:\r?\n[ \t]{1,40}(?=\\{0,3}["'`]))?/y, text, at);
    return { to, spaced: to > at, quotedOnly };
  };
  const paired = sticky(pair, text, end);
  if (paired >= 0) return { ...behind(paired, false), spaced: false };
  const assigned = sticky(assign, text, end);
  if (assigned >= 0) return behind(assigned, false);
  const otherwise = sticky(fallback, text, end);
  if (otherwise >= 0) return behind(otherwise, true);
  const before = text.slice(Math.max(0, start - 80), start);
  const argument = sticky(nextArgument, text, end);
  if (argument >= 0) return /[([]\\{0,3}["'`]$/.test(before) ? behind(argument, true) : undefined;
  // setPassword("x"), --password x, ENV PASSWORD x, `login ann password x` of .netrc and PASSWORD 'x' of SQL.
  const name = text.slice(start, end);
  if (text[end] === "(") return /^(?:.*\.)?(?:set|with)/i.test(name) ? behind(end + 1, true) : undefined;
  const gap = sticky(/[ \t]{1,8}/y, text, end);
  if (gap < 0) return undefined;
  if (/^--?[a-z]/i.test(name) || /(?:^|\n)(?:ENV|ARG)[ \t]{1,8}$|\blogin[ \t]\S{1,60}\s{1,8}$/.test(before))
    return { to: gap, spaced: false, quotedOnly: text[gap] === "-" };
  return /^password$/i.test(name) && text[gap] === "'" ? behind(gap, true) : undefined;
}

const opening = /(?:[A-Za-z@$]{1,2}(?=["'`]))?(\\{0,3})("""|'''|["'`])/y;

/**
 * Returns the text between quotes of one kind, including escaped quotes: a document within a string is read
 * like any other.
 */
function readQuoted(text: string, at: number): { from: number; to: number; next: number } | undefined {
  opening.lastIndex = at;
  const found = opening.exec(text);
  if (found === null) return undefined;
  const [, slashes = "", quote = ""] = found;
  const from = opening.lastIndex;
  const limit = Math.min(text.length, from + maxValue);
  const close = slashes + quote;
  for (let to = from; to < limit; to++) {
    if (text.startsWith(close, to)) return { from, to, next: to + close.length };
    if (text[to] === "\\" && slashes === "") to++;
    else if (text[to] === "\n" && quote.length === 1 && quote !== "`")
      return /^[^\s,;)}\]]{4,}$/.test(text.slice(from, to)) ? { from, to, next: to } : undefined;
  }
  return { from, to: limit, next: limit };
}
