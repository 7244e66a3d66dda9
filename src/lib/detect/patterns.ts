import { parseQuery } from "../jsonpath/parse.ts";
import { accepts, type Guess, shareOf } from "./guess.ts";
import type { Sample } from "./sample.ts";

/** Regular expressions, globs and lists of paths. */
export function detectRegex({ line, lines, text }: Sample): Guess[] {
  const content = line !== "" ? line : lines.length < 30 ? text.slice(0, 2000) : "";
  const [, quoted, flags] = /^r?\/((?:[^/\\\n]|\\.)+)\/([dgimsuvyx]*)$/.exec(content) ?? [];
  const source = quoted ?? content.replace(/^r?(["'`])([\s\S]*)\1$/, "$2");
  if (source.length < 3 || /^[[{]\s*["{]|^<|^[a-z][\w+.-]*:\/\/|^[A-Za-z]:\\/.test(source)) return [];
  const features = [
    /^\^/, /[^\\]\$$/, /\\[dwsbDWSB]/, /\\[dwsbDWSB].*\\[dwsbDWSB]/, /^\(\?[a-z]+\)/, /\|/, /\(\?(?:[:=!]|<[=!\w])/, /\[\^?[^\]\s]{1,60}\][+*?{]/, /\{\d+(?:,\d*)?\}/,
    /[^\\\s][+*]\??(?:[^\s+*]|$)/, /\\\.|\\\/|\\\(|\\\[/, /\([^()]{1,200}\|[^()]{1,200}\)/, /\.[*+]/, /\[[a-z]-[a-z]\]?|\d-9\]/i, /\\p\{\w+\}/,
  ].filter((feature) => feature.test(source)).length; // prettier-ignore
  if (/^\[[^\]\s,"]{2,40}\][+*?]?$/.test(source) && isExpression(source))
    return [{ kind: "regular-expression", confidence: 0.6, reason: "It is a class of characters." }];
  if (/^s([/|#,])[^\n]{1,500}\1[^\n]{0,500}\1[gimpIe\d]*$/.test(line))
    return [{ kind: "regular-expression", confidence: 0.75, reason: "It is a substitution of sed." }];
  if (features < 2 && (quoted === undefined || (features === 0 && flags === ""))) return [];
  if (!isExpression(source)) return [];
  const spaced = source.split(/\s/).length > 4;
  const isGlob = /\*\*\/|^[\w./-]*\*\.\w+$/.test(source) && !/\\[dws.]/.test(source);
  const confidence =
    quoted !== undefined && !isGlob
      ? features > 0
        ? 0.96
        : 0.7
      : features > 3
        ? 0.93
        : features > 2
          ? 0.9
          : 0.82;
  return [
    {
      kind: "regular-expression",
      confidence: confidence - (spaced ? 0.25 : 0) - (isGlob ? 0.4 : 0) - (line === "" ? 0.2 : 0),
      reason: "It is a valid regular expression.",
    },
  ];
}

/** JSONPath (RFC 9535) of more than its root. */
export function detectJsonPath({ line }: Sample): Guess[] {
  if (!/^\$(?:\.\.?[\w*[]|\[)/.test(line) || !accepts(() => parseQuery(line))) return [];
  return [{ kind: "json-path", confidence: 0.94, reason: "It is a query of JSONPath (RFC 9535)." }];
}

/** Compiling is linear; the expression is not run. */
function isExpression(source: string): boolean {
  const plain = source
    .replaceAll("(?P<", "(?<")
    .replace(/^\(\?[a-z]+\)/, "")
    .replaceAll(/\\[AzZ]/g, "")
    .replaceAll(/(?<=[+*?}])\+/g, "");
  try {
    return new RegExp(plain) instanceof RegExp;
  } catch {
    return false;
  }
}

const isOwner = (each: string): boolean =>
  /^[^\s@]\S*(?:\s+(?:@[\w./-]+|[\w.+-]+@[\w.-]+))+(?:\s+#.*)?$/.test(each) ||
  /^\^?\[[^\]]+\](?:\[\d+\])?(?:\s+@\S+)*$/.test(each);
const glob =
  /^!?[\w@./~{},*?[\]()|+!-]*(?:\*|\?|\{[^{}\s"':]+,[^{}\s"':]+\}|\[[\w!^-]+\])[\w@./~{},*?[\]()|+!$-]*$/;
const path = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\)?[\w@.+~#$()[\]-]+(?:[/\\][\w@.+~#$ ()[\]-]+)*[/\\]?$/;
const file =
  /\/|\\|^\.?[\w-]+(?:\.[\w-]+)*\.[A-Za-z][A-Za-z\d]{0,9}$|^(?:Makefile|Dockerfile|LICENSE|README)$/;

export function detectPaths({ text, line, lines }: Sample): Guess[] {
  const add = (kind: Guess["kind"], confidence: number, reason: string): Guess[] => [
    { kind, confidence, reason },
  ];
  if (line !== "") {
    if (isOwner(line) && line.includes("@") && /^[*/!.]|[*/]/.test(line))
      return add("codeowners", 0.9, "It is a line of CODEOWNERS.");
    if (/^![\w.*/-]+$/.test(line)) return add("gitignore", 0.8, "It is a pattern that excludes.");
    if (/\s/.test(line) && !/^\S+ \S+$/.test(line)) return [];
    if (glob.test(line) && /[/.]|\*\*/.test(line) && !/^[\d.*/ ,-]+$|:\/\/|\)[+*?]|\\/.test(line))
      return add("glob", /\*/.test(line) ? 0.95 : 0.8, "It is a glob.");
    return path.test(line) && file.test(line) && line.includes("/") && !/^\d+\/\d+$/.test(line)
      ? add("path", 0.55, "It is a path.")
      : [];
  }
  const content = lines.map((each) => each.trim()).filter((each) => !each.startsWith("#"));
  const checked = content.slice(0, 300);
  if (checked.length === 0 || text.startsWith("<")) return [];
  if (shareOf(checked, isOwner) > 0.8 && checked.some((each) => /[*/]/.test(each) && each.includes("@")))
    return add("codeowners", 0.97, "Its lines are those of CODEOWNERS.");
  const isRule = (each: string): boolean => /^!?[\w@./*?[\]{}~+$,\\-]+\s*$/.test(each) && !/^\d+$/.test(each);
  const isMark = (each: string): boolean => /^!|\*|\/$|^\/|^\.\w|\?$/.test(each);
  const rules = shareOf(checked, isRule);
  const marks = shareOf(checked, isMark);
  const starred = checked.some((each) => /\*|^!|[^:]\/$/.test(each));
  if (rules > 0.9 && marks >= 0.4 && starred && checked.length > 1)
    return add("gitignore", 0.95, "Its lines are patterns, as those of a .gitignore.");
  const isPath = (each: string): boolean =>
    (path.test(each) && file.test(each)) || /^[AMDRCU?!]{1,2}\s+\S+$/.test(each);
  if (checked.length > 1 && shareOf(checked, isPath) > 0.85 && checked.some((each) => /[/\\]/.test(each)))
    return add("path-list", 0.9, "Each line is a path.");
  return checked.length > 1 &&
    shareOf(checked, (each) => path.test(each) && /\.[A-Za-z]\w{0,4}$/.test(each) && !each.includes("@")) >
      0.9 &&
    !/\.(?:com|org|net|io|de)$/m.test(text)
    ? add("path-list", 0.8, "Each line is the name of a file.")
    : [];
}
