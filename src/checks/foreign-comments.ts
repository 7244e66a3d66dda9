/** A comment by which a program that a tool replaces ignores findings, such as `# yamllint disable-line rule:truthy`. */
export interface ForeignComment {
  /** The program, as in the aliases of rules. */
  program: string;
  /** The tool whose findings it ignores. */
  tool: string;
  line: number;
  /** In code points, from 1. */
  column: number;
  /** The lines that it is for, both included. */
  from: number;
  to: number;
  /** The ids that the program has for rules; `aliased` is all rules for which it has one, `all` every finding. */
  rules: readonly string[] | "aliased" | "all";
}

/** The words that occur in each of these comments. */
const words = ["yamllint", "gitleaks:allow", "allowlist", "dotenv-linter:"];

/** Reports whether a document may have such comments; nearly none does. */
export const mayHaveForeignComments = (document: Buffer): boolean =>
  words.some((word) => document.includes(word));

/** Finds the comments, line by line, and where what they disable is enabled again. */
export function findForeignComments(text: string): ForeignComment[] {
  const lines = text.split(/\r\n|\r|\n/);
  const found: ForeignComment[] = [];
  /** Comments that hold until their rules are enabled. */
  let open: ForeignComment[] = [];
  for (const [index, content] of lines.entries()) {
    if (found.length >= maxComments) break;
    if (content.length > maxLine || !words.some((word) => content.includes(word))) continue;
    const directive = readDirective(content, index + 1);
    if (directive === undefined) continue;
    const { kind, comment } = directive;
    if (kind === "off" && open.length < maxOpen) open.push({ ...comment, to: lines.length });
    else if (kind === "on") {
      const ended = open.filter((one) => isEnding(one, comment));
      for (const one of ended) found.push({ ...one, to: index + 1 });
      open = [
        ...open.filter((one) => !ended.includes(one)),
        ...ended.flatMap((one) => withoutRules(one, comment.rules, index + 1)),
      ];
    } else if (kind === "line") found.push(comment);
    else if (kind === "file" && index === 0) found.push({ ...comment, from: 1, to: lines.length });
  }
  return [...found, ...open];
}

/** Longer lines are data. */
const maxLine = 10_000;
/** Further ones ignore nothing: each finding is compared with all of them. */
const maxComments = 10_000;
/** Further ones disable nothing: each that follows is compared with all of them. */
const maxOpen = 100;

interface Directive {
  kind: "line" | "off" | "on" | "file";
  comment: ForeignComment;
}

function readDirective(content: string, line: number): Directive | undefined {
  return readYamllint(content, line) ?? readDotenvLinter(content, line) ?? readSecrets(content, line);
}

function readYamllint(content: string, line: number): Directive | undefined {
  const match = /(?:^|\s)#\s*yamllint (disable-file|disable-line|disable|enable)((?: rule:[\w-]+)*)\s*$/.exec(
    content,
  );
  if (match === null) return undefined;
  const [, word = "", list = ""] = match;
  const rules = [...list.matchAll(/rule:([\w-]+)/g)].map(([, rule = ""]) => rule);
  const at = content.indexOf("#", match.index);
  const isAlone = content.slice(0, at).trim() === "";
  const kind =
    word === "disable-file" ? "file" : word === "disable-line" ? "line" : word === "enable" ? "on" : "off";
  const own = kind === "line" && isAlone ? line + 1 : line;
  return {
    kind,
    comment: {
      ...toComment("yamllint", "yaml-validator", content, line, at),
      from: own,
      to: own,
      rules: kind === "file" ? "all" : rules.length === 0 ? "aliased" : rules,
    },
  };
}

function readDotenvLinter(content: string, line: number): Directive | undefined {
  const match = /^\s*#\s*dotenv-linter:(on|off)\s+([\w, ]+)$/.exec(content);
  if (match === null) return undefined;
  const [, word, list = ""] = match;
  const rules = list.split(/[\s,]+/).filter((rule) => rule !== "");
  const comment = toComment("dotenv-linter", "env-validator", content, line, content.indexOf("#"));
  return { kind: word === "on" ? "on" : "off", comment: { ...comment, rules } };
}

/** Gitleaks reads its word anywhere in the line, detect-secrets in a comment. */
function readSecrets(content: string, line: number): Directive | undefined {
  const at = content.indexOf("gitleaks:allow");
  if (at >= 0) return { kind: "line", comment: toComment("gitleaks", "secret-scanner", content, line, at) };
  const match = /(?:#|\/\/|\/\*|--|<!--|;)\s*pragma: allowlist( nextline)? secret\b/.exec(content);
  if (match === null) return undefined;
  const own = match[1] === undefined ? line : line + 1;
  const comment = toComment("detect-secrets", "secret-scanner", content, line, match.index);
  return { kind: "line", comment: { ...comment, from: own, to: own } };
}

const toComment = (
  program: string,
  tool: string,
  content: string,
  line: number,
  at: number,
): ForeignComment => ({
  program,
  tool,
  line,
  column: Array.from(content.slice(0, at)).length + 1,
  from: line,
  to: line,
  rules: "all",
});

/** Reports whether a comment that enables rules is about some of those that another disables. */
function isEnding(open: ForeignComment, { program, rules }: ForeignComment): boolean {
  if (open.program !== program) return false;
  const disabled = open.rules;
  return (
    typeof disabled === "string" || typeof rules === "string" || disabled.some((rule) => rules.includes(rule))
  );
}

/** The rules that an open comment still disables after some of them were enabled. */
function withoutRules(
  open: ForeignComment,
  enabled: ForeignComment["rules"],
  line: number,
): ForeignComment[] {
  if (typeof enabled === "string" || typeof open.rules === "string") return [];
  const rules = open.rules.filter((rule) => !enabled.includes(rule));
  return rules.length === 0 ? [] : [{ ...open, rules, from: line + 1 }];
}
