import { DocumentFault } from "../fault.ts";
import type { DialectOptions } from "sql-formatter";
import { load } from "../load.ts";
import { isTsql } from "./lexis.ts";
import { hashStandIn, placeholdersOf, type sqlPlaceholders } from "./placeholders.ts";
import { toSameScript } from "./same-script.ts";
import type { SqlToken } from "./scan.ts";
import { type ScriptPart, splitScript } from "./split-script.ts";

export const sqlDialects = [
  "sql",
  "bigquery",
  "clickhouse",
  "db2",
  "db2i",
  "duckdb",
  "hive",
  "mariadb",
  "mysql",
  "n1ql",
  "plsql",
  "postgresql",
  "redshift",
  "singlestoredb",
  "snowflake",
  "spark",
  "sqlite",
  "tidb",
  "transactsql",
  "trino",
  "tsql",
] as const;

type LetterCase = "preserve" | "upper" | "lower";

export interface SqlOptions extends Partial<SqlLayout> {
  dialect: (typeof sqlDialects)[number];
  keywordCase: LetterCase;
  indent: number;
  useTabs: boolean;
  placeholders: readonly (typeof sqlPlaceholders)[number][];
}

export interface SqlLayout {
  identifierCase: LetterCase;
  functionCase: LetterCase;
  dataTypeCase: LetterCase;
  indentStyle: "standard" | "tabularLeft" | "tabularRight";
  logicalOperators: "before" | "after";
  /** Most characters of parentheses that stay on one line. */
  width: number;
  /** Empty lines between statements. */
  linesBetween: number;
  denseOperators: boolean;
  newlineBeforeSemicolon: boolean;
}

const usualLayout: SqlLayout = {
  identifierCase: "preserve",
  functionCase: "preserve",
  dataTypeCase: "preserve",
  indentStyle: "standard",
  logicalOperators: "before",
  width: 50,
  linesBetween: 1,
  denseOperators: false,
  newlineBeforeSemicolon: false,
};

const maxPasses = 4;
/** The library takes quadratic time for the statements of a text. */
const chunkLength = 16_384;

/**
 * Returns a formatter that throws DocumentFault with the index of syntax that the dialect does not support, or of the first token
 * that would be lost or changed. Lines that belong to a client, such as GO, are copied.
 */
export async function loadSqlFormatter(given: SqlOptions): Promise<(text: string) => string> {
  const options = { ...usualLayout, ...given };
  const formatStatements = await loadLibrary(options);
  const templates = options.placeholders.includes("braces");
  const { keywordCase, identifierCase, functionCase, dataTypeCase } = options;
  const ignoreCase = [keywordCase, identifierCase, functionCase, dataTypeCase].some(
    (one) => one !== "preserve",
  );
  const split = (text: string): ScriptPart[] => splitScript(text, options.dialect, templates);

  function formatOnce(text: string): string {
    const parts = split(text);
    const shielded = shieldTemplates(text, parts);
    const written: string[] = [];
    let end = 0;
    for (const { kind, start, end: next, tokens } of parts) {
      const made =
        kind === "verbatim"
          ? text.slice(start, next).trimEnd()
          : toChunks(text, tokens)
              .map((chunk) => formatChunk(shielded, chunk))
              .join("\n".repeat(options.linesBetween + 1));
      if (made === "") continue;
      if (written.length > 0) written.push(/\n\s*?\n/.test(text.slice(end, start)) ? "\n\n" : "\n");
      written.push(made);
      end = next;
    }
    const made = written.join("");
    return toSameScript({ text, parts }, { text: made, parts: splitMade(split, made, parts) }, ignoreCase);
  }

  function formatChunk(text: string, { start, end }: Chunk): string {
    const part = text.slice(start, end);
    try {
      return formatStatements(part).replaceAll(`${hashStandIn}{`, "#{");
    } catch (error) {
      throw toTextError(error, part, start);
    }
  }

  return (text) => {
    let result = formatOnce(text);
    // The library moves block comments and operators with a question mark again on its own output; formatting must be
    // idempotent.
    for (let pass = 1; pass < maxPasses && /\/\*|\?/.test(result); pass++) {
      const next = formatOnce(result);
      if (next === result) break;
      result = next;
    }
    return result;
  };
}

/**
 * Replaces the first character of #{x}, which begins a comment in some dialects.
 * @throws DocumentFault where it may be either.
 */
function shieldTemplates(text: string, parts: readonly ScriptPart[]): string {
  if (!text.includes("#{")) return text;
  const shielded: string[] = [];
  let from = 0;
  for (const { tokens } of parts) {
    for (const [at, { start, end }] of tokens.entries()) {
      if (!text.startsWith("#{", start)) continue;
      const next = tokens[at + 1];
      const isFirst = /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 1000), start));
      if (isFirst && next?.kind === "word" && !/\n/.test(text.slice(end, next.start)))
        throw new DocumentFault(
          "This is a template or a comment. Write a space after # if it is a comment.",
          {
            index: start,
          },
        );
      shielded.push(text.slice(from, start), hashStandIn);
      from = start + 1;
    }
  }
  shielded.push(text.slice(from));
  return shielded.join("");
}

/** A statement that cannot be read any more has changed, too. */
function splitMade(
  split: (text: string) => ScriptPart[],
  made: string,
  parts: readonly ScriptPart[],
): ScriptPart[] {
  try {
    return split(made);
  } catch (error) {
    if (error instanceof DocumentFault && parts.length > 0) return [];
    throw error;
  }
}

interface Chunk {
  start: number;
  end: number;
}

/** Cuts statements after semicolons. */
function toChunks(text: string, tokens: readonly SqlToken[]): Chunk[] {
  const chunks: Chunk[] = [];
  let depth = 0;
  let start = tokens[0]?.start ?? 0;
  for (const [at, token] of tokens.entries()) {
    const sign = token.kind === "sign" ? text[token.start] : "";
    if (sign === "(") depth++;
    else if (sign === ")") depth--;
    const next = tokens[at + 1];
    if (next === undefined) chunks.push({ start, end: token.end });
    else if (sign === ";" && depth === 0 && token.end - start > chunkLength) {
      chunks.push({ start, end: token.end });
      start = next.start;
    }
  }
  return chunks;
}

async function loadLibrary(options: SqlOptions & SqlLayout): Promise<(text: string) => string> {
  const { format, formatDialect, transactsql } = await load("sql-formatter");
  const custom = placeholdersOf(options.dialect, options.placeholders).map((regex) => ({ regex }));
  const layout = {
    keywordCase: options.keywordCase,
    identifierCase: options.identifierCase,
    functionCase: options.functionCase,
    dataTypeCase: options.dataTypeCase,
    indentStyle: options.indentStyle,
    logicalOperatorNewline: options.logicalOperators,
    expressionWidth: options.width,
    linesBetweenQueries: options.linesBetween,
    denseOperators: options.denseOperators,
    newlineBeforeSemicolon: options.newlineBeforeSemicolon,
    tabWidth: options.indent,
    useTabs: options.useTabs,
    paramTypes: { custom },
  };
  if (!isTsql(options.dialect)) return (text) => format(text, { language: options.dialect, ...layout });
  const dialect = withOwnKeywords(transactsql);
  return (text) => formatDialect(text, { dialect, ...layout });
}

let hinting: DialectOptions | undefined;

/**
 * Transact-SQL in which OUTPUT begins a clause where rows follow it, and is no clause as the mode of a parameter; and `WITH (` is a keyword: it begins table hints or options, never common table expressions, whose
 * name comes first. The library takes every WITH for a clause and begins a line (sql-formatter#867). It remembers each
 * dialect that it is given, so that there is one.
 */
function withOwnKeywords(dialect: DialectOptions): DialectOptions {
  const { tokenizerOptions } = dialect;
  hinting ??= {
    ...dialect,
    tokenizerOptions: {
      ...tokenizerOptions,
      postProcess: (tokens) => {
        const processed = tokenizerOptions.postProcess?.(tokens) ?? tokens;
        return processed.map((token, at) => {
          const next = processed[at + 1]?.text.toUpperCase() ?? "";
          if (token.text === "WITH" && next === "(")
            return { ...token, type: "RESERVED_KEYWORD" as typeof token.type };
          if (token.text.toUpperCase() === "OUTPUT" && /^(?:INSERTED|DELETED|\$ACTION)$/.test(next))
            return { ...token, text: "OUTPUT", type: "RESERVED_CLAUSE" as typeof token.type };
          return token;
        });
      },
    },
  };
  return hinting;
}

/** The library appends pages about its grammar; the first line of the message has the place and the token. */
function toTextError(error: unknown, text: string, start: number): unknown {
  // The parser is recursive.
  if (error instanceof RangeError)
    return new DocumentFault("The parentheses are nested too deeply.", { index: start });
  if (!(error instanceof Error)) return error;
  const place = /^Parse error(?::| at token:) (.*?) at line (\d+) column (\d+)/s.exec(error.message);
  if (place === null) return error;
  const [, what = "", line, column] = place;
  const index = start + toIndex(text, Number(line), Number(column));
  if (what.includes("EOF"))
    return new DocumentFault("The statement ends too early: a parenthesis is not closed.", { index });
  const shown = what.replace(/^Unexpected /, "").slice(0, 64);
  return new DocumentFault(`Unexpected ${shown}. Check the dialect and the quotes.`, { index });
}

function toIndex(text: string, line: number, column: number): number {
  let start = 0;
  for (let count = 1; count < line; count++) {
    const end = text.indexOf("\n", start);
    if (end < 0) break;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}
