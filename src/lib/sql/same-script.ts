import { DocumentFault } from "../fault.ts";
import type { ScriptPart } from "./split-script.ts";
import type { SqlToken } from "./scan.ts";

export interface Script {
  text: string;
  parts: readonly ScriptPart[];
}

/**
 * Compares the tokens of a script and the lines that its client reads with those of the formatted one. Returns the formatted text
 * without the spaces that it has, and the script has not, between the name of a function and its parenthesis: MySQL takes such a
 * function for a column.
 * @param ignoreCase Whether words may have changed their case.
 * @throws DocumentFault with the index in the script where they differ.
 */
export function toSameScript(given: Script, made: Script, ignoreCase: boolean): string {
  const spaces: number[] = [];
  for (const [at, part] of given.parts.entries()) {
    const other = made.parts[at];
    const isSame =
      part.kind === other?.kind &&
      (part.kind === "statements" || textOf(given, part) === textOf(made, other));
    if (!isSame || other === undefined) throw changed(part.start);
    for (const [index, token] of part.tokens.entries()) {
      const written = other.tokens[index];
      if (
        written === undefined ||
        shown(given.text, token, ignoreCase) !== shown(made.text, written, ignoreCase)
      )
        throw changed(token.start);
      const previous = other.tokens[index - 1];
      if (isTied(given.text, part.tokens, index) && previous?.end !== written.start)
        throw changed(token.start);
      if (isCall(given.text, part.tokens, index) && made.text[written.start - 1] === " ") {
        if (previous?.end === written.start - 1) spaces.push(written.start - 1);
      }
    }
    if (other.tokens.length > part.tokens.length) throw changed(part.end);
  }
  if (made.parts.length > given.parts.length) throw changed(given.parts.at(-1)?.end ?? 0);
  return cutOut(made.text, spaces);
}

function cutOut(text: string, indexes: readonly number[]): string {
  const kept: string[] = [];
  let from = 0;
  for (const index of indexes) {
    kept.push(text.slice(from, index));
    from = index + 1;
  }
  kept.push(text.slice(from));
  return kept.join("");
}

const changed = (index: number): DocumentFault =>
  new DocumentFault(
    "Formatting would change the script from here on. Check the dialect, and format the statements without this one.",
    { index },
  );

const textOf = ({ text }: Script, { start, end }: ScriptPart): string => text.slice(start, end).trim();

function shown(text: string, { kind, start, end }: SqlToken, ignoreCase: boolean): string {
  const given = text.slice(start, end);
  // Block comments are indented with their statement.
  if (kind.endsWith("comment")) return given.replaceAll(/\s+/g, " ").trim();
  return kind === "word" && ignoreCase ? given.toLowerCase() : given;
}

/** Whether a token and the one before it are one name, such as tbl_{{ x }}, or one string, such as N'a'. */
function isTied(text: string, tokens: readonly SqlToken[], index: number): boolean {
  const [before, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (token === undefined || before?.end !== token.start) return false;
  const opens = (one: SqlToken): string => (one.kind === "text" ? text.slice(one.start, one.start + 2) : "");
  const isName = (one: SqlToken | undefined): boolean => one?.kind === "word" || one?.kind === "text";
  if (keywords.has(text.slice(before.start, before.end).toUpperCase())) return false;
  // A tag alone writes nothing: only one between two names joins them.
  if (opens(token) === "{%") return isName(before) && isName(next) && next?.start === token.end;
  if (opens(before) === "{%") return isName(token) && isTied(text, tokens, index - 1);
  if (/^(?:\{\{|[$#]\{)/.test(opens(token))) return isName(before);
  if (/^(?:\{\{|[$#]\{)/.test(opens(before))) return isName(token);
  return token.kind === "text" && /^(?:[NBXERQ]|BR|RB|NQ|&)$/i.test(text.slice(before.start, before.end));
}

/** Words that a parenthesis follows as it follows no function. */
const keywords = new Set(
  `ALL AND ANY AS BETWEEN BY CALL CASE CHECK CONSTRAINT DEFAULT DISTINCT DIV ELSE ELSEIF ELSIF END EXCEPT EXEC EXECUTE EXISTS FETCH FILTER FROM
  GROUP HAVING IF ILIKE IN INCLUDE INDEX INTERSECT INTERVAL INTO IS JOIN KEY LIKE LIMIT MATERIALIZED MINUS MOD NOT OFFSET ON OR OVER PARTITION PRINT REFERENCES RETURN
  RETURNING RETURNS SELECT SET SETS SOME TABLE THEN TOP UNION UNIQUE UNTIL USING VALUES WHEN WHERE WHILE WITH WITHIN XOR`.split(
    /\s+/,
  ),
);
/** Words before the name of a table and its columns. */
const beforeTables = new Set(
  "CONSTRAINT EXISTS INDEX INTO KEY ON REFERENCES TABLE VIEW WITH RECURSIVE".split(" "),
);

function isCall(text: string, tokens: readonly SqlToken[], index: number): boolean {
  const open = tokens[index];
  let name = tokens[index - 1];
  if (open === undefined || text[open.start] !== "(" || name?.kind !== "word" || name.end !== open.start)
    return false;
  if (keywords.has(text.slice(name.start, name.end).toUpperCase())) return false;
  let before = index - 2;
  while (text[tokens[before]?.start ?? -1] === "." && name !== undefined) {
    name = tokens[before - 1];
    before -= 2;
  }
  const word = tokens[before];
  return word === undefined || !beforeTables.has(text.slice(word.start, word.end).toUpperCase());
}
