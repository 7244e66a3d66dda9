import { isDictionary, isList, type Value } from "../data/value.ts";
import { DocumentFault, OptionFault } from "../fault.ts";
import { nearest } from "../nearest.ts";
import { type Given, parseGiven } from "./given.ts";
import {
  type Context,
  fail,
  type KnownRule,
  membersOf,
  readFormats,
  type Then,
  toLevel,
} from "./ruleset-parts.ts";

/** Most paths that aliases lead to: each may have several, which have several. */
const maxGiven = 1000;

/** Reads the definition of a rule. @param formats Those of its ruleset. @throws DocumentFault */
export function readRule(
  context: Context,
  name: string,
  value: Value,
  pointer: string,
  formats: readonly string[] | undefined,
): KnownRule {
  const rule = membersOf(value, pointer, "rule");
  const text = (key: string): string | undefined => {
    const found = rule.get(key);
    if (found !== undefined && typeof found !== "string")
      return fail(`${pointer}/${key}`, `${key} must be a text.`);
    return found;
  };
  const then = rule.get("then");
  if (then === undefined || rule.get("given") === undefined)
    fail(pointer, `The rule ${JSON.stringify(name.slice(0, 64))} needs given and then.`);
  const level = toLevel(rule.get("severity"), `${pointer}/severity`) ?? "warn";
  const thens = isList(then as Value) ? (then as Value[]) : [then as Value];
  return {
    name,
    description: text("description"),
    message: text("message"),
    level,
    own: level,
    formats: readFormats(rule.get("formats"), `${pointer}/formats`) ?? formats,
    given: readGiven(context, rule.get("given") as Value, `${pointer}/given`),
    actions: thens.map((one, at) =>
      readThen(context, one, isList(then as Value) ? `${pointer}/then/${at}` : `${pointer}/then`),
    ),
    resolved: rule.get("resolved") !== false,
    recommended: rule.get("recommended") !== false && rule.get("enabled") !== false,
  };
}

function readGiven(context: Context, value: Value, pointer: string): Given[] {
  const budget = { left: maxGiven };
  const list = isList(value) ? value : [value];
  return list.flatMap((one, index) =>
    expandGiven(context, one, isList(value) ? `${pointer}/${index}` : pointer, [], budget).map((text) => {
      try {
        return parseGiven(text);
      } catch (error) {
        if (!(error instanceof OptionFault)) throw error;
        return fail(
          isList(value) ? `${pointer}/${index}` : pointer,
          `The path ${JSON.stringify(text.slice(0, 100))}: ${error.message.replace(/\.$/, "")}${error.index === undefined ? "" : ` (character ${error.index + 1})`}.`,
        );
      }
    }),
  );
}

/** Replaces an alias at the beginning by its paths. */
function expandGiven(
  context: Context,
  value: Value,
  pointer: string,
  open: readonly string[],
  budget: { left: number },
): string[] {
  if (typeof value !== "string") return fail(pointer, "A path must be a text.");
  if (--budget.left < 0) return fail(pointer, `Its aliases lead to more than ${maxGiven} paths.`);
  const [, name, rest = ""] = /^#([A-Za-z][\w-]*)(.*)$/s.exec(value) ?? [];
  if (name === undefined) return [value];
  if (open.includes(name)) return fail(pointer, `The alias ${name} refers to itself.`);
  const alias = context.aliases.get(name);
  if (alias === undefined) {
    const near = nearest(name, context.aliases.keys());
    return fail(
      pointer,
      `There is no alias ${JSON.stringify(name)}.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    );
  }
  return pathsOf(context, alias, pointer).flatMap((path) =>
    expandGiven(context, path, pointer, [...open, name], budget).map((text) => text + rest),
  );
}

/** The paths of an alias for the formats of this document. */
function pathsOf({ deps }: Context, alias: Value, pointer: string): readonly Value[] {
  if (typeof alias === "string") return [alias];
  if (isList(alias)) return alias;
  const targets = isDictionary(alias) ? alias.get("targets") : undefined;
  if (!isList(targets ?? null))
    return fail(pointer, "An alias is a path, a list of paths, or an object with targets.");
  return (targets as Value[]).flatMap((target) => {
    if (!isDictionary(target)) return [];
    const formats = readFormats(target.get("formats"), pointer);
    const given = target.get("given") ?? [];
    return formats === undefined || formats.some((one) => deps.formats.includes(one))
      ? isList(given)
        ? given
        : [given]
      : [];
  });
}

function readThen({ deps, functions }: Context, value: Value, pointer: string): Then {
  const then = membersOf(value, pointer, "action");
  const [field, name, options] = ["field", "function", "functionOptions"].map((key) => then.get(key));
  if (field !== undefined && typeof field !== "string") fail(`${pointer}/field`, "field must be a text.");
  if (typeof name !== "string") return fail(`${pointer}/function`, "function must be the name of one.");
  const make = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (make === undefined) {
    const near = nearest(name, Object.keys(functions));
    return fail(
      `${pointer}/function`,
      `There is no function ${JSON.stringify(name.slice(0, 64))}; functions of JavaScript are not run.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    );
  }
  if (options !== undefined && options !== null && !isDictionary(options))
    fail(`${pointer}/functionOptions`, "functionOptions must be an object.");
  try {
    return {
      field: field as string | undefined,
      check: make((options ?? new Map()) as ReadonlyMap<string, Value>, deps),
    };
  } catch (error) {
    if (error instanceof OptionFault)
      return fail(
        `${pointer}/functionOptions${options !== undefined && error.option !== undefined && (options as ReadonlyMap<string, Value> | null)?.has(error.option) ? `/${error.option}` : ""}`,
        `${name}: ${error.message}`,
      );
    if (error instanceof DocumentFault)
      return fail(`${pointer}/functionOptions/schema${error.at.pointer ?? ""}`, `schema: ${error.message}`);
    throw error;
  }
}
