import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { DocumentFault } from "../fault.ts";
import { escapeToken } from "../json/pointer.ts";
import { nearest } from "../nearest.ts";
import type { Check, Maker, MakerDeps } from "./functions.ts";
import type { Given } from "./given.ts";

export type Level = "error" | "warn" | "info" | "hint" | "off";

export interface Then {
  field: string | undefined;
  check: Check;
}

export interface Rule {
  name: string;
  description: string | undefined;
  message: string | undefined;
  level: Level;
  /** Formats of documents that it is for; undefined for all. */
  formats: readonly string[] | undefined;
  given: readonly Given[];
  actions: readonly Then[];
  /** Whether references are followed. */
  resolved: boolean;
}

/** Levels of rules for some places of a document. */
export interface LevelAt {
  pointer: string;
  levels: ReadonlyMap<string, Level>;
}

export interface Ruleset {
  rules: ReadonlyMap<string, Rule>;
  levelsAt: readonly LevelAt[];
}

export interface ReadRulesetDeps extends MakerDeps {
  functions: Readonly<Record<string, Maker>>;
  /** Functions that only rulesets of `known` can name. */
  builtIn: Readonly<Record<string, Maker>>;
  /** The rulesets that can be extended by name, as values. */
  known(name: string): Value | undefined;
  /** The formats of the document. */
  formats: readonly string[];
  /** The name of the file, for overrides; "" without one. */
  fileName: string;
}

const levels: readonly string[] = ["error", "warn", "info", "hint", "off"];
const known = {
  ruleset: [
    "extends",
    "rules",
    "aliases",
    "overrides",
    "formats",
    "description",
    "documentationUrl",
    "parserOptions",
  ],
  rule: [
    "description",
    "message",
    "severity",
    "given",
    "then",
    "formats",
    "recommended",
    "resolved",
    "enabled",
    "type",
    "tags",
    "documentationUrl",
    "extensions",
  ],
  action: ["field", "function", "functionOptions"],
  override: ["files", "formats", "rules", "aliases", "extends"],
};
/** Parts of a ruleset that name code or other files. */
const refused: Readonly<Record<string, string>> = {
  functions: "functions of JavaScript are not run; use those that are built in",
  functionsDir: "functions of JavaScript are not run; use those that are built in",
  except: "exceptions by file became overrides",
};

/** A rule that another ruleset may switch on or off. */
export interface KnownRule extends Rule {
  recommended: boolean;
  /** The severity while it is on. */
  own: Level;
}

export interface Context {
  deps: ReadRulesetDeps;
  rules: Map<string, KnownRule>;
  aliases: Map<string, Value>;
  levelsAt: LevelAt[];
  functions: Readonly<Record<string, Maker>>;
}

export const fail = (pointer: string, message: string): never => {
  throw new DocumentFault(message, { pointer });
};

const isExtension = (key: string): boolean => key.startsWith("x-");

export function membersOf(
  value: Value,
  pointer: string,
  kind: keyof typeof known,
): ReadonlyMap<string, Value> {
  if (!isDictionary(value)) return fail(pointer, `Expected an object with ${known[kind].join(", ")}.`);
  for (const key of value.keys()) {
    const here = `${pointer}/${escapeToken(key)}`;
    if (kind === "ruleset" && refused[key] !== undefined && Object.hasOwn(refused, key))
      fail(here, `${key}: ${refused[key]}.`);
    if (known[kind].includes(key) || isExtension(key)) continue;
    const near = nearest(key, known[kind]);
    fail(
      here,
      `A ${kind} has no ${JSON.stringify(key.slice(0, 64))}${near === undefined ? `; known are ${known[kind].join(", ")}.` : `; did you mean ${near}?`}`,
    );
  }
  return value;
}

export function readFormats(value: Value | undefined, pointer: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const list = isList(value) ? value.filter((one) => typeof one === "string") : [];
  if (!isList(value) || list.length !== value.length)
    return fail(pointer, "formats must be a list of names such as oas3.");
  return list.map((name) => name.replaceAll("_", "."));
}

export const toLevel = (value: Value | undefined, pointer: string): Level | undefined => {
  if (value === undefined) return undefined;
  if (typeof value === "string" && levels.includes(value)) return value as Level;
  if (value === false) return "off";
  if (value !== null && typeof value === "object" && isLiteral(value) && /^[0-3]$/.test(value.text))
    return levels[Number(value.text)] as Level;
  return fail(pointer, `A severity is one of ${levels.join(", ")}.`);
};
