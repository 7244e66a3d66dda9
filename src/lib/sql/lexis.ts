/** The words of a dialect, as far as text that looks like SQL may stand in them. */
export interface Lexis {
  /** The beginning of a comment that ends with its line. */
  lineComments: RegExp;
  nestedComments: boolean;
  /** Whether a backslash escapes a quote in every string. */
  backslashes: boolean;
  /** Quotes of names beside ". */
  backticks: boolean;
  brackets: boolean;
  /** $$…$$ and $tag$…$tag$. */
  dollarQuotes: boolean;
  /** q'[…]' */
  alternativeQuotes: boolean;
  /** Three quotes, which may contain one. */
  tripleQuotes: boolean;
  /** Whether strings that a line break separates are one string (ISO 9075-2, 5.3). */
  adjacentStrings: boolean;
  /** &x, a variable of SQL*Plus. */
  substitutions: boolean;
  /** Words with slashes: stages and URLs of files. */
  paths: boolean;
  /** Templates such as {{ x }}, {% x %}, {# x #}, ${x} and #{x}. */
  templates: boolean;
}

const family = (names: string) => {
  const all = new Set(names.split(" "));
  return (dialect: string): boolean => all.has(dialect);
};

export const isMysql = family("mysql mariadb tidb singlestoredb");
export const isTsql = family("tsql transactsql");
export const isPsql = family("postgresql redshift");
export const isHive = family("hive spark");
const hasBackslashes = family(
  "mysql mariadb tidb singlestoredb bigquery hive spark clickhouse snowflake n1ql",
);
const hasBackticks = family("mysql mariadb tidb singlestoredb bigquery hive spark clickhouse sqlite n1ql");
const hasHashComments = family("mysql mariadb tidb singlestoredb bigquery clickhouse n1ql");
const nests = family("postgresql duckdb tsql transactsql db2i");
const hasDollarQuotes = family("postgresql redshift duckdb snowflake clickhouse");
const joinsStrings = family("sql postgresql redshift duckdb trino db2 db2i");

export function lexisOf(dialect: string, templates: boolean): Lexis {
  return {
    lineComments: lineCommentsOf(dialect, templates),
    nestedComments: nests(dialect),
    backslashes: hasBackslashes(dialect),
    backticks: hasBackticks(dialect),
    brackets: isTsql(dialect) || dialect === "sqlite",
    dollarQuotes: hasDollarQuotes(dialect),
    alternativeQuotes: dialect === "plsql",
    tripleQuotes: dialect === "bigquery",
    adjacentStrings: joinsStrings(dialect),
    substitutions: dialect === "plsql",
    paths: dialect === "snowflake",
    templates,
  };
}

function lineCommentsOf(dialect: string, templates: boolean): RegExp {
  if (dialect === "snowflake") return /--|\/\//y;
  if (!hasHashComments(dialect)) return /--/y;
  return templates ? /--|#(?!\{)/y : /--|#/y;
}
