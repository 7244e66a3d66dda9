import { isDictionary, isList, type Value } from "../data/value.ts";
import { OptionFault } from "../fault.ts";
import { createPathMatcher } from "../glob/match-path.ts";
import { escapeToken } from "../json/pointer.ts";
import { nearest } from "../nearest.ts";
import { readRule } from "./read-rule.ts";
import {
  type Context,
  fail,
  membersOf,
  readFormats,
  type ReadRulesetDeps,
  type Ruleset,
  toLevel,
} from "./ruleset-parts.ts";

const maxRules = 1000;

/** Reads a ruleset. @throws DocumentFault with a pointer into it */
export function readRuleset(value: Value, deps: ReadRulesetDeps): Ruleset {
  const context: Context = {
    deps,
    rules: new Map(),
    aliases: new Map(),
    levelsAt: [],
    functions: deps.functions,
  };
  readInto(context, value, "", "recommended");
  if (context.rules.size > maxRules) fail("/rules", `A ruleset can have at most ${maxRules} rules.`);
  return { rules: context.rules, levelsAt: context.levelsAt };
}

/** @param mode The rules of a ruleset that count: those that are recommended, all, or none. */
function readInto(
  context: Context,
  value: Value,
  pointer: string,
  mode: "recommended" | "all" | "off",
  isBuiltIn = false,
): void {
  const ruleset = membersOf(value, pointer, "ruleset");
  readExtends(context, ruleset.get("extends"), `${pointer}/extends`);
  readAliases(context, ruleset.get("aliases"), `${pointer}/aliases`);
  const formats = readFormats(ruleset.get("formats"), `${pointer}/formats`);
  readRules(context, ruleset.get("rules"), isBuiltIn ? "" : `${pointer}/rules`, { formats, mode });
  const overrides = ruleset.get("overrides");
  if (overrides === undefined) return;
  if (!isList(overrides)) return fail(`${pointer}/overrides`, "overrides must be a list.");
  for (const [index, one] of overrides.entries()) readOverride(context, one, `${pointer}/overrides/${index}`);
}

function readExtends(context: Context, value: Value | undefined, pointer: string): void {
  if (value === undefined) return;
  const list = isList(value) ? value : [value];
  for (const [index, item] of list.entries()) {
    const here = isList(value) ? `${pointer}/${index}` : pointer;
    const [name, mode = "recommended"] = isList(item) ? item : [item];
    if (typeof name !== "string" || (mode !== "recommended" && mode !== "all" && mode !== "off"))
      fail(here, "extends is the name of a ruleset, or a list of its name and recommended, all or off.");
    const found = context.deps.known(name as string);
    if (found === undefined)
      fail(
        here,
        `The ruleset ${JSON.stringify(String(name).slice(0, 100))} is not inside, and nothing is fetched or read from a file. spectral:oas can be extended; write other rules into this ruleset.`,
      );
    const { functions, builtIn } = context.deps;
    context.functions = { ...functions, ...builtIn };
    readInto(context, found as Value, here, mode as "recommended", true);
    context.functions = functions;
  }
}

function readAliases({ aliases }: Context, value: Value | undefined, pointer: string): void {
  if (value === undefined) return;
  if (!isDictionary(value)) return fail(pointer, "aliases must be an object.");
  for (const [name, alias] of value) aliases.set(name, alias);
}

interface Reading {
  formats: readonly string[] | undefined;
  mode: "recommended" | "all" | "off";
}

function readRules(
  context: Context,
  value: Value | undefined,
  pointer: string,
  { formats, mode }: Reading,
): void {
  if (value === undefined) return;
  if (!isDictionary(value)) return fail(pointer, "rules must be an object.");
  for (const [name, given] of value) {
    const here = pointer === "" ? "" : `${pointer}/${escapeToken(name)}`;
    if (!isDictionary(given)) {
      changeLevel(context, name, given, here);
      continue;
    }
    const rule = readRule(context, name, given, here, formats);
    const isOn = mode === "all" || (mode === "recommended" && rule.recommended);
    context.rules.set(name, isOn ? rule : { ...rule, level: "off" });
  }
}

/** A rule that is inherited, with another severity; `true` and `on` switch it on. */
function changeLevel({ rules }: Context, name: string, given: Value, pointer: string): void {
  const rule = rules.get(name);
  if (rule === undefined) {
    const near = nearest(name, rules.keys());
    return fail(
      pointer,
      `No ruleset that is extended has a rule ${JSON.stringify(name.slice(0, 64))}.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    );
  }
  const level =
    given === true || given === "on" || given === "all" || given === "recommended"
      ? rule.own
      : toLevel(given, pointer);
  rules.set(name, { ...rule, level: level ?? rule.level });
}

function readOverride(context: Context, value: Value, pointer: string): void {
  const override = membersOf(value, pointer, "override");
  const formats = readFormats(override.get("formats"), `${pointer}/formats`);
  if (override.has("extends"))
    fail(`${pointer}/extends`, "extends in overrides is not supported; list the rules.");
  const files = override.get("files");
  if (files === undefined && formats === undefined) fail(pointer, "An override needs files or formats.");
  if (files !== undefined && !isList(files)) fail(`${pointer}/files`, "files must be a list of patterns.");
  if (formats !== undefined && !formats.some((one) => context.deps.formats.includes(one))) return;
  const matching =
    files === undefined
      ? [""]
      : (files as Value[]).flatMap((one, at) =>
          matchFile(one, context.deps.fileName, `${pointer}/files/${at}`),
        );
  if (matching.length === 0) return;
  const isWhole = matching.includes("");
  const rules = override.get("rules");
  const aliases = new Map(context.aliases);
  readAliases(context, override.get("aliases"), `${pointer}/aliases`);
  if (isWhole) readRules(context, rules, `${pointer}/rules`, { formats: undefined, mode: "all" });
  else if (rules !== undefined && isDictionary(rules)) {
    const changed = new Map(
      Array.from(rules, ([name, level]) => [
        name,
        toLevel(level, `${pointer}/rules/${escapeToken(name)}`) ?? "warn",
      ]),
    );
    for (const part of matching) context.levelsAt.push({ pointer: part, levels: changed });
  }
  context.aliases = aliases;
}

/** Returns the pointer of a pattern whose file this is: "" for the document as a whole. */
function matchFile(value: Value, fileName: string, pointer: string): string[] {
  if (typeof value !== "string") return fail(pointer, "A pattern must be a text.");
  const at = value.indexOf("#");
  const glob = at < 0 ? value : value.slice(0, at);
  if (fileName === "") return [];
  let matches: (path: string) => boolean;
  try {
    matches = createPathMatcher(glob === "**" || glob === "*" ? "**/*" : glob.replace(/^\.\//, ""));
  } catch (error) {
    if (!(error instanceof OptionFault)) throw error;
    return fail(pointer, error.message);
  }
  if (!matches(fileName)) return [];
  try {
    return [at < 0 ? "" : decodeURIComponent(value.slice(at + 1))];
  } catch {
    return fail(pointer, "The part after # must be a pointer, with % as %25.");
  }
}
