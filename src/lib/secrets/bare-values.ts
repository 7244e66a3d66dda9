import { sticky } from "./sticky.ts";
import { toBits } from "./surprise.ts";

/** A value without quotes. */
export interface BareValue {
  /** Start and end of the value. */
  index: number;
  end: number;
  /** The end of following words that may belong to it, as in a passphrase. */
  tail: number;
  /** Whether the context is configuration, a URL or a command line; otherwise it may be code. */
  config: boolean;
  /** Whether it is a block of lines. */
  block?: boolean;
}

const maxLines = 100;

/** Matches the text before a name at the start of a configuration line. */
const lineStart =
  /(?:^|\n)[ \t]{0,40}(?:(?:export|set|setx|env|declare|local|readonly|ENV|ARG|-)[ \t]{1,4}|[#;][ \t]?|\$env:)?\\{0,3}["']?$/;

const inQuery = /[^\s"'`<>&#]{1,4096}/y;
const plainValue = /[^\s"'`]\S{0,4096}/y;
const inLine = /[^\s"'`](?:[^\s<]|<(?!\/)){0,4096}/y;
const elsewhere = /[^\s"'`<>,;(){}[\]&|\\][^\s"'`<>,;)}\]&|\\]{0,4096}/y;
const block = /[|>][-+\d]{0,2}[ \t]{0,8}\r?\n([ \t]{1,40})/y;
const words = /(?:[ \t]{1,4}[^\s=:#,;"'`(){}<>]{1,100}){1,20}(?=[ \t]*(?:[ \t]#.{0,200})?\r?(?:\n|$))/y;

/**
 * Reads the value at `at`, whose name begins at `start`; yields several for a YAML block.
 * @param spaced Whether white space precedes the value, as in code.
 */
export function* readBare(text: string, at: number, start: number, spaced: boolean): Generator<BareValue> {
  block.lastIndex = at;
  const indented = block.exec(text);
  if (indented !== null) return yield readBlock(text, block.lastIndex, indented[1] as string);
  const query = /[?&]/.test(text.charAt(start - 1));
  const line = !query && lineStart.test(text.slice(Math.max(0, start - 60), start));
  // NAME=value is not code, whatever the value looks like.
  const plain = line && !spaced && /^[A-Z][A-Z\d_]*=$/.test(text.slice(start, at));
  let end = sticky(query ? inQuery : plain ? plainValue : line ? inLine : elsewhere, text, at);
  if (end < 0) return;
  const terminated = line && !plain && /[,;]/.test(text.charAt(end - 1));
  while (line && !plain && end > at && /[,;"'`]/.test(text.charAt(end - 1))) end--;
  if (end === at || (!plain && isCode(text.slice(at, Math.min(end, at + 300)), line))) return;
  const identifier = /^[A-Za-z_$][\w$]*$/.test(text.slice(at, end));
  const member = /^(?:self|this|cls)\./.test(text.slice(start, start + 5));
  if (identifier && spaced && (member || terminated || /[,;)]/.test(text.charAt(end)))) return;
  const tail = line && !terminated ? Math.max(end, sticky(words, text, end)) : end;
  // 'X-Api-Key: x', a header in quotes of its own.
  const header = /["'`]/.test(text.charAt(start - 1)) && !/["'`]/.test(text.slice(at - 4, at));
  yield { index: at, end, tail, config: (line && !terminated) || query || header || !spaced };
}

/** Reads a YAML block scalar: the lines from `from` that are indented like the first one. */
function readBlock(text: string, from: number, indent: string): BareValue {
  let end = from;
  for (let count = 0; count < maxLines; count++) {
    const line = sticky(/[^\r\n]{0,4000}/y, text, end);
    const next = sticky(/\r?\n/y, text, line);
    end = line;
    if (next < 0 || !text.startsWith(indent, next)) break;
    end = next + indent.length;
  }
  return { index: from, end, tail: end, config: true, block: true };
}

/** Matches calls, members, operators, keywords, types and paths; on a line of its own, random text may look like those. */
const isCode = (value: string, line: boolean): boolean =>
  codes.some((pattern) => pattern.test(value)) &&
  !(line && !/["'`\\]/.test(value) && toBits(value) >= Math.max(50, value.length * 2));

const codes: readonly RegExp[] = [
  /\?\?|\?\.[A-Za-z]|\|\||&&|=>|[!=]==|^[\w$.]{1,100}\?[\w$."']/,
  /^[A-Za-z_$&*!(][\w$]*(?:(?:\?\.|\.|::|->)[\w$]+){0,20}(?:\?\.)?[([]/,
  /^[A-Za-z_$]+\d?(?:(?:\?\.|\.|::|->)[A-Za-z_$]+\d?){1,20}[,;)]*$/,
  /^[A-Za-z_$][\w$]*\.[\w$.]*=[A-Za-z_$]/,
  /^(?:\.{0,2}|~)\/[\w.-]*(?:\/[\w.-]*){0,20}$/,
  /^(?:[[{(|&]|=|-$|\/\/|=>|new$|await$|async$|function|class$|typeof$|return$|not$|lambda)/,
  /^(?:string|number|boolean|bool|bytes?|buffer|object|any|unknown|never|void|int\d*|float\d*|str|text|varchar|char|uuid|optional|secretstr|uint8array|arraybuffer|keyobject|cryptokey|readonly|required|integer|date|array|list|map|dict)(?:\b|$)(?![\w!@#$%^&*-])/i,
];
