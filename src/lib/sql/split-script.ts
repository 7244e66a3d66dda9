import { type ClientLines, clientLinesOf } from "./client-lines.ts";
import { isPsql, lexisOf } from "./lexis.ts";
import { lineEnd, nextToken, type SqlToken } from "./scan.ts";

/** Statements with their comments, or a line that stays as it is. */
export interface ScriptPart {
  kind: "statements" | "verbatim";
  start: number;
  end: number;
  /** The line numbers of statements. */
  tokens: readonly SqlToken[];
}

/**
 * Splits a script into statements and the lines of the client that runs it, which are copied: batches of sqlcmd, commands of SQL*Plus,
 * psql, mysql, sqlite3 and others, delimiters, and data of COPY.
 * @throws DocumentFault with the index of a quote or comment that is not closed.
 */
export function splitScript(text: string, dialect: string, templates: boolean): ScriptPart[] {
  const lexis = lexisOf(dialect, templates);
  const client = clientLinesOf(dialect);
  const parts: ScriptPart[] = [];
  let tokens: SqlToken[] = [];
  /** Index in `tokens` of the first token of the open statement. */
  let first = 0;
  let isFresh = true;
  let inBlock = false;
  let delimiter = ";";

  function close(): void {
    const last = tokens.at(-1);
    if (tokens[0] !== undefined && last !== undefined)
      parts.push({ kind: "statements", start: tokens[0].start, end: last.end, tokens });
    tokens = [];
    first = 0;
    isFresh = true;
    inBlock = false;
  }

  function copy(start: number, end: number): number {
    close();
    parts.push({ kind: "verbatim", start, end, tokens: [] });
    const named = /^\s*(?:DELIMITER|--#SET[ \t]+TERMINATOR)[ \t]+(\S+)/i.exec(text.slice(start, end));
    delimiter = named?.[1] ?? delimiter;
    return end;
  }

  /** Copies COPY … FROM STDIN and its data, which end with a line of \. */
  function copyData(semicolon: number): number | undefined {
    const start = tokens[first]?.start ?? semicolon;
    if (
      !(isPsql(dialect) || dialect === "sql") ||
      !/^copy\s[^;]{1,10000}\sfrom\s+stdin\b/i.test(text.slice(start, semicolon))
    )
      return undefined;
    const end = /^\\\.[ \t]*\r?$/m.exec(text.slice(semicolon));
    tokens = tokens.slice(0, first);
    return copy(start, end === null ? text.length : lineEnd(text, semicolon + end.index));
  }

  for (let at = 0; ;) {
    const command = findCommand(text, at, client, isFresh, delimiter !== ";" || inBlock);
    if (command !== undefined) {
      at = copy(command.start, command.end);
      continue;
    }
    const token = nextToken(text, at, lexis);
    if (token === undefined) break;
    const stop =
      delimiter === ";" ? -1 : text.slice(token.start, token.end + delimiter.length).indexOf(delimiter);
    if (stop !== -1 && (token.kind === "word" || stop === 0) && !/comment|text/.test(token.kind)) {
      const start = token.start + stop;
      if (stop > 0 && start <= token.end) tokens.push({ ...token, end: start });
      if (start <= token.end) {
        at = copy(start, start + delimiter.length);
        continue;
      }
    }
    const inside = matchAt(client.inside, text, token.start);
    if (token.kind === "sign" && inside !== undefined) {
      at = copy(token.start, lineEnd(text, token.start));
      continue;
    }
    at = token.end;
    if (isFresh && !token.kind.endsWith("comment")) {
      first = tokens.length;
      isFresh = false;
      inBlock = matchAt(client.blocks, text, token.start) !== undefined;
    }
    if (token.kind === "sign" && text[token.start] === ";" && !inBlock && delimiter === ";") {
      isFresh = true;
      const end = copyData(token.start);
      if (end !== undefined) {
        at = end;
        continue;
      }
    }
    tokens.push(token);
  }
  close();
  return parts;
}

/** Finds a command that begins with the line of the next token. */
function findCommand(
  text: string,
  from: number,
  { anywhere, first }: ClientLines,
  isFresh: boolean,
  isInside: boolean,
): { start: number; end: number } | undefined {
  const next = matchAt(/\s*/y, text, from) ?? from;
  if (next === text.length) return undefined;
  // The line of a token that is not the first of it was looked at before; a long line must not be searched for each.
  const start =
    from === 0 ? text.lastIndexOf("\n", next - 1) + 1 : from + text.slice(from, next).lastIndexOf("\n") + 1;
  if (start === from && from > 0 && text[from - 1] !== "\n") return undefined;
  for (const pattern of isFresh && !isInside
    ? [...anywhere, ...first]
    : [...anywhere, ...first.filter(isDelimiter)]) {
    const end = matchAt(pattern, text, start);
    if (end !== undefined) return { start, end: end - (text[end - 1] === "\r" ? 1 : 0) };
  }
  return undefined;
}

/** The mysql client reads DELIMITER at the start of any line. */
const isDelimiter = ({ source }: RegExp): boolean => source.includes("DELIMITER");

/** Returns the end of a match at an index. */
function matchAt(pattern: RegExp | undefined, text: string, at: number): number | undefined {
  if (pattern === undefined) return undefined;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
