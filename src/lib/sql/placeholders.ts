import { isMysql, isPsql, isTsql, lexisOf } from "./lexis.ts";
import { maxTemplate, maxTemplateComment, substitution } from "./scan.ts";

export const sqlPlaceholders = ["braces", "colon", "at", "dollar", "percent"] as const;

/** Stands for the # of #{x} where the library takes # for a comment. */
export const hashStandIn = "\uE000";

const template = String.raw`(?:\{\{[\s\S]{0,${maxTemplate}}?\}\}|[$#${hashStandIn}]\{[^{}]{0,${maxTemplate}}\})`;

/**
 * Placeholders kept whole. A colon after a name or a bracket is a slice, a path or a cast, not a placeholder.
 * Templates are short, so that an unclosed one does not make every other search the whole document.
 */
const patterns = {
  braces: [
    // With the words around it: tbl_{{ x }} is one name.
    String.raw`[\w$]*${template}(?:[\w$]*${template})*[\w$]*`,
    String.raw`\{%[\s\S]{0,${maxTemplate}}?%\}`,
    String.raw`\{#[\s\S]{0,${maxTemplateComment}}?#\}`,
    // A string with a template that has quotes of its own.
    String.raw`'[^'{}\r\n]{0,500}\{\{(?:[^'{}\r\n]{0,200}'[^'{}\r\n]{0,200}'){1,20}[^'{}\r\n]{0,200}\}\}[^'{}\r\n]{0,500}'`,
  ],
  colon: [String.raw`(?<![:\w\])"'])(?::[A-Za-z_]\w*|:\d+)`],
  at: [String.raw`@[A-Za-z_]\w*`],
  dollar: [String.raw`\$(?:\d+|[A-Za-z_]\w*)`],
  percent: [String.raw`%\(\w+\)s`, String.raw`%s(?!\w)`],
} as const;

/** The patterns that a dialect needs beside those that a caller chooses: what the library would take apart. */
function patternsOf(dialect: string): string[] {
  const found: string[] = [];
  const { adjacentStrings, paths } = lexisOf(dialect, false);
  if (adjacentStrings) {
    const string = String.raw`'(?:[^']|'')*'`;
    const first = String.raw`(?:[eE]'(?:[^'\\]|\\[\s\S]|'')*'|(?:[nNbBxX]|[uU]&)?${string})`;
    found.push(String.raw`${first}(?:[ \t]*\r?\n\s*${string})+`);
  }
  if (paths) found.push(String.raw`@[~%\w."$]+(?:\/[^\s;,()']*)?`, String.raw`file:\/\/[^\s;,()']*`);
  if (isTsql(dialect)) found.push(String.raw`\$\(\w+\)`);
  if (isPsql(dialect)) found.push(String.raw`(?<![:\w\])"']):(?:'\w+'|"\w+"|\{\?\w+\})`);
  if (isMysql(dialect))
    found.push(String.raw`[A-Za-z_]\w*:(?=\s*(?:BEGIN|LOOP|WHILE|REPEAT|begin|loop|while|repeat)\b)`);
  if (dialect === "plsql")
    found.push(
      // Quotes of a caller's choice; the library ends some of them too early.
      String.raw`[nN]?[qQ]'(?:\[[\s\S]*?\]|\([\s\S]*?\)|\{[\s\S]*?\}|<[\s\S]*?>|([^\s\[({<'])[\s\S]*?\1)'`,
      // Conditional compilation: inquiries and directives.
      String.raw`\$\$[A-Za-z]\w*|\$(?:if|then|elsif|else|end|error)\b`,
      substitution.source,
      String.raw`<<\s*\w+\s*>>`,
    );
  return found;
}

/** Regular expressions of what the library keeps whole. */
export const placeholdersOf = (dialect: string, chosen: readonly (keyof typeof patterns)[]): string[] => [
  ...patternsOf(dialect),
  ...[...new Set(chosen)].flatMap((name) => patterns[name]),
];
