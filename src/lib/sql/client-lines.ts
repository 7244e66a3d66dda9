import { isHive, isMysql, isPsql, isTsql } from "./lexis.ts";

/**
 * Lines that a client of a database reads itself, and of which a line break is syntax. `anywhere` holds for each line that begins outside
 * of quotes and comments, `first` for lines where no statement is open.
 */
export interface ClientLines {
  anywhere: readonly RegExp[];
  first: readonly RegExp[];
  /** Statements that only a line with / ends. */
  blocks?: RegExp;
  /** Commands in the middle of a line, up to its end. */
  inside?: RegExp;
}

// sqlcmd: a line with GO, and commands that begin with a colon or !!.
const batch = /[ \t]*GO(?:[ \t]+\d+)?[ \t]*;?[ \t]*(?:--[^\n]*)?(?=\r?$)/imy;
const sqlcmd =
  /[ \t]*(?::(?:setvar|r|connect|on[ \t]+error|out|error|perftrace|listvar|quit|exit|reset|ed|help|list|serverlist|xml)\b|!!)[^\n]*/iy;
/** DELIMITER is read by the splitter, too. */
const delimiter = /[ \t]*DELIMITER[ \t]+\S+[ \t]*(?=\r?$)/imy;
const slash = /[ \t]*\/[ \t]*(?=\r?$)/my;
const dot = /\.[a-z][^\n]*/y;
const backslash = /[ \t]*\\[^\n]*/y;

// SQL*Plus User's Guide and Reference, chapter 12; a hyphen at the end of a line continues it.
const rest = String.raw`(?:(?![\w$#]|[ \t]*(?:\(|:=|\.))(?:[^\n]*-[ \t]*\r?\n)*[^\n]*)`;
const sqlplus = new RegExp(
  String.raw`[ \t]*(?:(?:PRO(?:M(?:P(?:T)?)?)?|REM(?:ARK)?)(?![\w$#])[^\n]*|@@?[^\n]*|!(?!=)[^\n]*|` +
    String.raw`(?:ACC(?:EPT)?|ARCHIVE|BRE(?:AK)?|BTI(?:TLE)?|CL(?:EAR)?|COL(?:UMN)?|COMP(?:UTE)?|CONN(?:ECT)?|COPY|DEF(?:INE)?|DESC(?:RIBE)?|DISC(?:ONNECT)?|ED(?:IT)?|EXEC(?:UTE)?(?![ \t]+IMMEDIATE)|EXIT|GET|HELP|HOST?|L(?:IST)?|PASSW(?:ORD)?|PAU(?:SE)?|PRINT?|QUIT|REPF(?:OOTER)?|REPH(?:EADER)?|RUN?|SAV(?:E)?|SHO(?:W)?|SHUTDOWN|SPO(?:OL)?|STA(?:RT)?|STARTUP|STORE|TIMI(?:NG)?|TTI(?:TLE)?|UNDEF(?:INE)?|VAR(?:IABLE)?|WHENEVER|XQUERY|SET(?![ \t]+(?:ROLE|TRANSACTION|CONSTRAINTS?)\b))${rest})`,
  "iy",
);
const plsqlBlock =
  /\s*(?:DECLARE|BEGIN|<<|CREATE\s+(?:OR\s+REPLACE\s+)?(?:AND\s+(?:RESOLVE|COMPILE)\s+)?(?:(?:NON)?EDITIONABLE\s+)?(?:PROCEDURE|FUNCTION|PACKAGE|TRIGGER|TYPE|LIBRARY|JAVA)|WITH\s+(?:FUNCTION|PROCEDURE))(?![\w$#])/iy;

// mysql(1), "mysql Client Commands": none of them needs a delimiter.
const mysqlCommand =
  /[ \t]*(?:(?:USE|SOURCE|SYSTEM|TEE|PAGER|PROMPT|CHARSET|CONNECT|EDIT)[ \t]+[^\s;][^\n;]*|(?:NOTEE|NOPAGER|STATUS|REHASH|WARNINGS|NOWARNING|QUIT|EXIT|HELP)[ \t]*)(?=\r?$)/imy;
/** \G and \g in place of a semicolon. */
const vertical = /\\[Gg](?=[ \t]*;?[ \t]*\r?$)/my;
// Hive CLI: commands end with their line or a semicolon, and may contain paths.
const hiveCommand =
  /[ \t]*(?:(?:ADD|LIST|DELETE)[ \t]+(?:JARS?|FILES?|ARCHIVES?)\b|SOURCE[ \t]|DFS[ \t]|SET[ \t;]|RESET\b|!)[^\n]*/iy;
const snowsql = /[ \t]*![a-z][^\n]*/iy;
/** Text that a COPY reads from standard input follows its line. */
const terminator = /[ \t]*--#SET[ \t]+TERMINATOR[^\n]*/iy;

export function clientLinesOf(dialect: string): ClientLines {
  if (isTsql(dialect)) return { anywhere: [batch, sqlcmd], first: [] };
  if (dialect === "plsql") return { anywhere: [slash], first: [sqlplus], blocks: plsqlBlock };
  if (isPsql(dialect)) return { anywhere: [backslash], first: [], inside: /\\[a-z!?][^\n]*/iy };
  if (isMysql(dialect)) return { anywhere: [backslash], first: [delimiter, mysqlCommand], inside: vertical };
  if (isHive(dialect)) return { anywhere: [], first: [hiveCommand] };
  if (dialect === "sqlite" || dialect === "duckdb") return { anywhere: [], first: [dot] };
  if (dialect === "snowflake") return { anywhere: [], first: [snowsql] };
  if (dialect === "db2") return { anywhere: [], first: [terminator] };
  // The standard has none; these are no SQL of any dialect.
  if (dialect === "sql")
    return {
      anywhere: [/(?:GO(?:[ \t]+\d+)?|\/)[ \t]*(?=\r?$)/imy],
      first: [
        sqlcmd,
        delimiter,
        dot,
        backslash,
        /(?:PROMPT|SHOW[ \t]+ERR(?:ORS)?|ADD[ \t]+(?:JARS?|FILES?|ARCHIVES?))\b[^\n]*/iy,
      ],
    };
  return { anywhere: [], first: [] };
}
