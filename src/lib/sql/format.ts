import { DocumentFault } from "../fault.ts";
import type { DialectOptions } from "sql-formatter";
import { load } from "../load.ts";

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

/**
 * Placeholders kept whole. A colon after a name or a bracket is a slice, a path or a cast, not a placeholder.
 * Templates are short, so that an unclosed one does not make every other search the whole document.
 */
const placeholderPatterns = {
  braces: [
    String.raw`\{\{[\s\S]{0,1000}?\}\}`,
    String.raw`\{%[\s\S]{0,1000}?%\}`,
    String.raw`[$#]\{[^{}]{0,1000}\}`,
  ],
  colon: [String.raw`(?<![:\w\])"'])(?::[A-Za-z_]\w*|:\d+)`],
  at: [String.raw`@[A-Za-z_]\w*`],
  dollar: [String.raw`\$(?:\d+|[A-Za-z_]\w*)`],
  percent: [String.raw`%\(\w+\)s`, String.raw`%s(?!\w)`],
} as const;

export const sqlPlaceholders = ["braces", "colon", "at", "dollar", "percent"] as const;

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

/**
 * Returns a formatter that throws DocumentFault with the index of syntax that the dialect does not support.
 */
export async function loadSqlFormatter(given: SqlOptions): Promise<(text: string) => string> {
  const options = { ...usualLayout, ...given };
  const { format, formatDialect, transactsql } = await load("sql-formatter");
  const dialect = /^t(?:ransact)?sql$/.test(options.dialect) ? withTableHints(transactsql) : undefined;
  const custom = [...new Set(options.placeholders)].flatMap((name) =>
    placeholderPatterns[name].map((regex) => ({ regex })),
  );
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
  const once = (text: string): string =>
    dialect === undefined
      ? format(text, { language: options.dialect, ...layout })
      : formatDialect(text, { dialect, ...layout });
  return (text) => {
    try {
      let result = once(text);
      // The library moves block comments and operators with a question mark again on its own output; formatting must be
      // idempotent.
      for (let pass = 1; pass < maxPasses && /\/\*|\?/.test(result); pass++) {
        const next = once(result);
        if (next === result) break;
        result = next;
      }
      return result;
    } catch (error) {
      throw toTextError(error, text);
    }
  };
}

let hinting: DialectOptions | undefined;

/**
 * Transact-SQL in which `WITH (` is a keyword: it begins table hints or options, never common table expressions, whose
 * name comes first. The library takes every WITH for a clause and begins a line (sql-formatter#867). It remembers each
 * dialect that it is given, so that there is one.
 */
function withTableHints(dialect: DialectOptions): DialectOptions {
  const { tokenizerOptions } = dialect;
  hinting ??= {
    ...dialect,
    tokenizerOptions: {
      ...tokenizerOptions,
      postProcess: (tokens) => {
        const processed = tokenizerOptions.postProcess?.(tokens) ?? tokens;
        return processed.map((token, at) =>
          token.text === "WITH" && processed[at + 1]?.text === "("
            ? { ...token, type: "RESERVED_KEYWORD" as typeof token.type }
            : token,
        );
      },
    },
  };
  return hinting;
}

/** The library appends pages about its grammar; the first line of the message has the place and the token. */
function toTextError(error: unknown, text: string): unknown {
  // The parser is recursive.
  if (error instanceof RangeError)
    return new DocumentFault("The parentheses are nested too deeply.", { index: 0 });
  if (!(error instanceof Error)) return error;
  const place = /^Parse error(?::| at token:) (.*?) at line (\d+) column (\d+)/s.exec(error.message);
  if (place === null) return error;
  const [, what = "", line, column] = place;
  const index = toIndex(text, Number(line), Number(column));
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
