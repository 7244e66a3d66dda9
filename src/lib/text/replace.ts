import { DocumentFault, OptionFault } from "../fault.ts";
import { matchAllJs } from "../regex/js.ts";
import { matchAllRe2 } from "../regex/re2.ts";

export interface Replacement {
  find: string;
  replace: string;
  /**
   * literal takes `find` and `replace` as they are; the two engines support groups, which `replace` can name.
   */
  mode: "literal" | "re2" | "regex";
  flags: string;
  all: boolean;
}

/** @throws OptionFault; DocumentFault if the result would be longer than `maxUnits` UTF-16 code units. */
export async function replaceText(text: string, options: Replacement, maxUnits: number): Promise<string> {
  const { find, replace, mode, flags, all } = options;
  requireFlags(mode, flags);
  const write = mode === "literal" ? () => replace : toWriter(replace, maxUnits);
  const matches = await findAll(text, find, mode, flags);
  const result = replaceMatches(text, all ? matches : firstOf(matches), write, maxUnits);
  if (!result.isWellFormed() && text.isWellFormed() && options.replace.isWellFormed()) {
    throw new OptionFault("This splits characters beyond U+FFFF; add the flag u.");
  }
  return result;
}

/**
 * Returns a function that replaces a text without line ends in one line after the other, or in several at once.
 * @throws OptionFault; DocumentFault, from that function, if the result would be longer than `maxUnits` UTF-16 code units.
 */
export function createLineReplacer(
  { find, replace, flags, all }: Omit<Replacement, "mode">,
  maxUnits: number,
): (lines: string) => string {
  requireFlags("literal", flags);
  let isDone = false;
  return (lines) => {
    if (isDone) return lines;
    const matches = findLiteral(lines, find, flags);
    return replaceMatches(lines, all ? matches : end(matches), () => replace, maxUnits);
  };

  function* end(matches: Iterable<RegExpExecArray>): Generator<RegExpExecArray> {
    for (const match of firstOf(matches)) {
      isDone = true;
      yield match;
    }
  }
}

const allowed = { literal: "i", re2: "ims", regex: "imsuv" } as const;

function requireFlags(mode: Replacement["mode"], flags: string): void {
  if (
    [...flags].every((flag, at) => allowed[mode].includes(flag) && flags.indexOf(flag) === at) &&
    !/u.*v|v.*u/.test(flags)
  )
    return;
  throw new OptionFault(
    `${mode} takes ${[...allowed[mode]].join(", ")}, each once${mode === "regex" ? ", and not u with v" : ""}.`,
    { option: "flags" },
  );
}

function* firstOf<T>(items: Iterable<T>): Generator<T> {
  for (const item of items) {
    yield item;
    return;
  }
}

function replaceMatches(
  text: string,
  matches: Iterable<RegExpExecArray>,
  write: Writer,
  maxUnits: number,
): string {
  const parts: string[] = [];
  let units = 0;
  let last = 0;
  for (const match of matches) {
    const written = write(match);
    parts.push(text.slice(last, match.index), written);
    units += match.index - last + written.length;
    if (units > maxUnits) throw tooLong(maxUnits);
    last = match.index + match[0].length;
  }
  parts.push(text.slice(last));
  return parts.join("");
}

async function findAll(
  text: string,
  find: string,
  mode: Replacement["mode"],
  flags: string,
): Promise<Iterable<RegExpExecArray>> {
  if (mode === "re2") return matchAllRe2(find, flags, text);
  if (mode === "regex") return matchAllJs(find, flags, text);
  return findLiteral(text, find, flags);
}

const findLiteral = (text: string, find: string, flags: string): Iterable<RegExpExecArray> =>
  matchAllJs(RegExp.escape(find), `gu${flags}`, text);

type Writer = (match: RegExpExecArray) => string;

/** Supports `$1`, `${1}`, `${name}`, `$<name>`, `$&` (or `$0`) and `$$`; any other $ is literal. */
function toWriter(replace: string, maxUnits: number): Writer {
  const writers: (string | Writer)[] = [];
  let last = 0;
  for (const reference of replace.matchAll(/\$(?:([$&])|(\d{1,2})|\{(\w+)\}|<(\w+)>)/g)) {
    writers.push(replace.slice(last, reference.index), toReference(reference));
    last = reference.index + reference[0].length;
  }
  writers.push(replace.slice(last));
  return (match) => {
    const parts = writers.map((one) => (typeof one === "string" ? one : one(match)));
    if (parts.reduce((units, part) => units + part.length, 0) > maxUnits) throw tooLong(maxUnits);
    return parts.join("");
  };
}

/** A short match can have a long replacement. */
const tooLong = (limit: number): DocumentFault =>
  new DocumentFault(`The result would be longer than ${limit} characters.`, {}, "too-large", limit);

function toReference([, sign, digits, braced, angled]: RegExpExecArray): string | Writer {
  if (sign === "$") return "$";
  if (sign === "&") return (match) => match[0];
  const name = digits ?? braced ?? angled ?? "";
  if (!/^\d+$/.test(name)) return (match) => named(match, name);
  return (match) => {
    if (Number(name) < match.length) return match[Number(name)] ?? "";
    // $12 means $1 followed by 2 if there are fewer than twelve groups, as in JavaScript.
    const [one = "", two] = digits ?? "";
    if (two !== undefined && Number(one) < match.length) return (match[Number(one)] ?? "") + two;
    throw new OptionFault(`Group ${name} does not exist.`, { option: "replace" });
  };
}

function named(match: RegExpExecArray, name: string): string {
  if (match.groups === undefined || !Object.hasOwn(match.groups, name)) {
    throw new OptionFault(`Group ${name} does not exist.`, { option: "replace" });
  }
  return match.groups[name] ?? "";
}
