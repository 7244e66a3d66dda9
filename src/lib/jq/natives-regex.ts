import { OptionFault } from "../fault.ts";
import { openRe2, type Re2 } from "../regex/re2.ts";
import { raise, shown } from "./fault.ts";
import { countPoints, sliceValue } from "./index.ts";
import type { Natives } from "./natives.ts";
import { add } from "./arithmetic.ts";
import type { Meter } from "./meter.ts";
import { isArray, isObject, type JqArray, type JqObject, type JqValue, typeName } from "./value.ts";

let compile: Awaited<ReturnType<typeof openRe2>> | undefined;

/** Loads the engine; has to be done before a filter runs that needs it. */
export async function loadRegex(): Promise<void> {
  compile ??= await openRe2();
}

/** Builtins with regular expressions: RE2, which has no look-around and no back-references and takes linear time. */
export const regexNatives: Natives = {
  "test/1": (value, [pattern]) => test(value, pattern as JqValue, null),
  "test/2": (value, [pattern, flags]) => test(value, pattern as JqValue, flags as JqValue),
  "_matches/2": (value, [pattern, flags], machine) => {
    const expression = open(value, pattern as JqValue, flags as JqValue);
    return expression.matches(value as string, machine.meter);
  },
  "_captured/0": captured,
  "split/2": (value, [pattern, flags], machine) => {
    const expression = open(value, pattern as JqValue, flags as JqValue);
    const text = value as string;
    const parts: JqArray = [];
    let from = 0;
    expression.each(text, true, (match) => {
      machine.meter.items(1);
      parts.push(text.slice(from, match.start()));
      from = match.end();
    });
    parts.push(text.slice(from));
    return parts;
  },
  "_replace/2": (value, [edits, texts], machine) =>
    replace(value as string, edits as JqArray, texts as JqArray[], machine.meter),
};

interface Match {
  start(group?: number): number;
  end(group?: number): number;
}

interface Expression {
  test(text: string): boolean;
  each(text: string, all: boolean, visit: (match: Match) => void): void;
  matches(text: string, meter: Meter): JqArray;
}

function test(value: JqValue, pattern: JqValue, flags: JqValue): boolean {
  return open(value, pattern, flags).test(value as string);
}

const opened = new Map<string, Expression>();

function open(value: JqValue, given: JqValue, more: JqValue): Expression {
  let pattern = given;
  let flags = more;
  if (isArray(given)) {
    [pattern = null] = given;
    const own = given[1] ?? null;
    flags = own === null ? more : `${own as string}${(more as string | null) ?? ""}`;
  }
  if (typeof value !== "string") return raise(`${shown(value)} cannot be matched, as it is not a string`);
  if (typeof pattern !== "string")
    return raise(
      more === null ? `${typeName(pattern)} not a string or array` : `${shown(pattern)} is not a string`,
    );
  if (flags !== null && typeof flags !== "string") return raise(`${shown(flags)} is not a string`);
  const key = `${flags ?? ""}/${pattern}`;
  const known = opened.get(key);
  if (known !== undefined) return known;
  if (opened.size >= 200) opened.clear();
  const expression = openExpression(pattern, flags ?? "");
  opened.set(key, expression);
  return expression;
}

// oxlint-disable-next-line no-control-regex
const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

function openExpression(pattern: string, flags: string): Expression {
  if (/[^gixsnpl]/.test(flags)) return raise(`${flags} is not a valid modifier string`);
  if (flags.includes("l")) return raise("The flag l (longest match) is not supported");
  const options = `${flags.includes("i") ? "i" : ""}${flags.includes("x") ? "x" : ""}${flags.includes("p") ? "s" : ""}`;
  // The classes of jq hold the letters and digits of all scripts, which makes no difference in a text of ASCII.
  const ascii = compilePattern(pattern, options);
  let other: Re2 | undefined;
  const engineFor = (text: string): Re2 => {
    if (isAscii(text)) return ascii;
    other ??= compilePattern(forUnicode(pattern), options);
    return other;
  };
  const names = groupNames(ascii);
  const nonEmpty = flags.includes("n");
  // Without metacharacters a search for the text itself is the same, and ten times as fast.
  const plain =
    !/[^g]/.test(flags) && pattern !== "" && !/[^\w ,;:@%&=<>!"'#/~`-]/.test(pattern) ? pattern : undefined;

  function each(text: string, all: boolean, visit: (match: Match) => void): void {
    const matcher = engineFor(text).matcher(text);
    while (matcher.find()) {
      if (nonEmpty && matcher.start() === matcher.end()) continue;
      visit(matcher);
      if (!all) return;
    }
  }

  return {
    test(text) {
      if (plain !== undefined) return text.includes(plain);
      if (!nonEmpty) return engineFor(text).matcher(text).find();
      let found = false;
      each(text, false, () => {
        found = true;
      });
      return found;
    },
    each,
    matches(text, meter) {
      const list: JqArray = [];
      const pointAt = createPointCounter(text);
      each(text, flags.includes("g"), (match) => {
        meter.members(5 + 5 * names.length);
        list.push(toMatch(text, match, names, pointAt));
      });
      return list;
    },
  };
}

function compilePattern(pattern: string, flags: string): Re2 {
  if (compile === undefined) throw new Error("The engine of regular expressions is not loaded");
  try {
    return compile(pattern, flags);
  } catch (error) {
    if (!(error instanceof OptionFault)) throw error;
    const hint = /\(\?(?:<?[=!]|>)|\\[1-9]/.test(pattern)
      ? " RE2 has no look-around, atomic groups or back-references."
      : "";
    return raise(`${pattern} (at offset ${error.index ?? 0}) is not a valid regex: ${error.message}${hint}`);
  }
}

/** The name of each group, from the first. */
function groupNames(expression: Re2): (string | null)[] {
  const names: (string | null)[] = Array.from({ length: expression.groupCount() }, () => null);
  for (const [name, at] of Object.entries(expression.namedGroups())) names[Number(at) - 1] = name;
  return names;
}

/** Returns a function from offsets to code points; offsets may only grow from match to match. */
function createPointCounter(text: string): (at: number) => number {
  if (isAscii(text)) return (at) => at;
  let counted = 0;
  let points = 0;
  return (at) => {
    if (at >= counted) {
      points += countPoints(text.slice(counted, at));
      counted = at;
      return points;
    }
    return points - countPoints(text.slice(at, counted));
  };
}

function toMatch(
  text: string,
  match: Match,
  names: readonly (string | null)[],
  pointAt: (at: number) => number,
): JqObject {
  const part = (group: number): JqObject => {
    const start = match.start(group);
    const found: JqObject = new Map();
    if (start < 0) return found.set("offset", -1).set("length", 0).set("string", null);
    const string = text.slice(start, match.end(group));
    return found.set("offset", pointAt(start)).set("length", countPoints(string)).set("string", string);
  };
  const whole = part(0);
  return whole.set(
    "captures",
    names.map((name, at) => part(at + 1).set("name", name)),
  );
}

/** The named captures of a match, as an object. */
function captured(match: JqValue): JqValue {
  const object: JqObject = new Map();
  const captures = isObject(match) ? (match.get("captures") as JqObject[]) : [];
  for (const capture of captures) {
    const name = capture.get("name");
    if (typeof name === "string") object.set(name, capture.get("string") as JqValue);
  }
  return object;
}

/** Replaces matches by texts: the first text of each makes the first result, and so on. */
function replace(text: string, edits: JqArray, texts: readonly JqArray[], meter: Meter): JqValue {
  const results: JqValue[] = [];
  let previous = 0;
  for (const [at, edit] of edits.entries()) {
    const offset = (edit as JqObject).get("offset") as number;
    const gap = sliceValue(text, previous, offset);
    for (const [index, insert] of (texts[at] as JqArray).entries())
      results[index] = add(add(results[index] ?? null, gap, meter), insert, meter);
    previous = offset + ((edit as JqObject).get("length") as number);
  }
  if (results.length === 0) return [text];
  return Array.from(results, (result) => add(result ?? null, sliceValue(text, previous, null), meter));
}

/** The characters of `\d`, `\w` and `\s` in jq, in the notation of RE2. */
const classes: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  w: "\\p{L}\\p{M}\\p{N}\\p{Pc}",
  s: "\\s\\x{85}\\p{Z}",
};

/** Rewrites the classes of a pattern so that they hold letters, digits and white space of all scripts. */
function forUnicode(pattern: string): string {
  let result = "";
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const unit = pattern[at] as string;
    if (unit !== "\\") {
      if (unit === "[" && !inClass) inClass = true;
      else if (unit === "]") inClass = false;
      result += unit;
      continue;
    }
    const letter = pattern[++at] ?? "";
    const held = classes[letter.toLowerCase()];
    if (held === undefined || (inClass && letter !== letter.toLowerCase())) result += unit + letter;
    else if (inClass) result += held;
    else result += letter === letter.toLowerCase() ? `[${held}]` : `[^${held}]`;
  }
  return result;
}
