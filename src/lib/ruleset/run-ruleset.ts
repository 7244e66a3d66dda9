import type * as re2js from "re2js";
import { type Dictionary, isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { valueAt } from "../data/at-pointer.ts";
import { DocumentFault, OptionFault } from "../fault.ts";
import { escapeToken, parsePointer } from "../json/pointer.ts";
import type { Node } from "../jsonpath/evaluate.ts";
import { tokensOf } from "../openapi/references.ts";
import { toPointer } from "../json/pointer.ts";
import { pointerOf, selectGiven } from "./given.ts";
import type { Level, Rule, Ruleset, Then } from "./ruleset-parts.ts";

export interface RulesetFinding {
  rule: string;
  level: Exclude<Level, "off">;
  message: string;
  /** RFC 6901, of something that is there. */
  pointer: string;
}

/** Nodes that the paths of all rules may visit together. */
const maxVisits = 20_000_000;
/** Values that functions are applied to. */
const maxTargets = 2_000_000;
/** Errors, and other findings, that are kept; more are counted. */
const maxKept = 2000;

/**
 * Applies the rules of a ruleset to a document; each finding once.
 * @throws DocumentFault if the document is too large for the rules
 */
export function runRuleset(
  { rules, levelsAt }: Ruleset,
  root: Value,
  { re2, formats }: { re2: typeof re2js; formats: readonly string[] },
): { findings: RulesetFinding[]; more: number } {
  const findings = new Map<string, RulesetFinding>();
  const kept = { error: 0, other: 0 };
  let more = 0;
  const budget = { left: maxVisits };
  const targets = { left: maxTargets };
  let references: ReadonlySet<string> | undefined;
  const context = { root, references: () => (references ??= collectReferences(root)) };
  for (const rule of rules.values()) {
    if (!isFor(rule, formats) || (rule.level === "off" && levelsAt.length === 0)) continue;
    const report = (pointer: string, path: string, message: string, value: Value | undefined): void => {
      const level = levelOf(rule, pointer, levelsAt);
      if (level === "off") return;
      // Warnings take no room of errors.
      const kind = level === "error" ? "error" : "other";
      if (kept[kind] >= maxKept) return void more++;
      const text = toMessage(rule, { path, message, value });
      const key = JSON.stringify([rule.name, pointer, text]);
      if (findings.has(key)) return;
      kept[kind]++;
      findings.set(key, { rule: rule.name, level, message: text, pointer: nearest(root, pointer) });
    };
    for (const given of rule.given) {
      for (const node of selecting(rule, () =>
        selectGiven(given, { root, re2, resolved: rule.resolved, budget }),
      )) {
        if (--targets.left < 0) throw tooMuch(`Its rules concern more than ${maxTargets} values.`);
        for (const then of rule.actions) apply(rule, then, node, context, report);
      }
    }
  }
  return { findings: [...findings.values()], more };
}

const isFor = ({ formats }: Rule, own: readonly string[]): boolean =>
  formats === undefined || formats.some((one) => own.includes(one));

function levelOf({ name, level }: Rule, pointer: string, levelsAt: Ruleset["levelsAt"]): Level {
  const found = levelsAt.findLast(
    (one) => one.levels.has(name) && (pointer === one.pointer || pointer.startsWith(`${one.pointer}/`)),
  );
  return found?.levels.get(name) ?? level;
}

const tooMuch = (message: string): DocumentFault => new DocumentFault(message, { pointer: "" }, "limit");

function selecting(rule: Rule, select: () => Node[]): Node[] {
  try {
    return select();
  } catch (error) {
    if (!(error instanceof OptionFault)) throw error;
    throw tooMuch(
      `With the rule ${rule.name}, the paths of the ruleset visit more than ${maxVisits} values of this document; narrow them.`,
    );
  }
}

interface Applied {
  root: Value;
  references(): ReadonlySet<string>;
}

type Report = (pointer: string, path: string, message: string, value: Value | undefined) => void;

function apply(
  { resolved }: Rule,
  { field, check }: Then,
  node: Node,
  { root, references }: Applied,
  report: Report,
): void {
  let own: string | undefined;
  for (const { value, base, path: below } of targetsOf(root, node.value, field, resolved)) {
    const results = check(value, { root, references });
    if (results.length === 0) continue;
    // Most values are fine, and the way to a deep one is long.
    const pointer = (base ?? (own ??= pointerOf(node))) + below;
    for (const { message, path = [] } of results) {
      const at = path.reduce((all, token) => `${all}/${escapeToken(token)}`, pointer);
      report(at, at, message, path.length === 0 ? value : undefined);
    }
  }
}

interface Target {
  value: Value | undefined;
  /** The pointer to what a reference led to; without one, the path begins at the value of the rule. */
  base: string | undefined;
  path: string;
}

/** The values that `field` names in a value: the value itself without it, each name of an object for `@key`. */
function* targetsOf(
  root: Value,
  value: Value,
  field: string | undefined,
  resolved: boolean,
): Generator<Target> {
  if (field === undefined) return yield { value, base: undefined, path: "" };
  if (field === "@key") {
    if (isDictionary(value))
      for (const key of value.keys()) yield { value: key, base: undefined, path: `/${escapeToken(key)}` };
    return;
  }
  let at: Target = { value, base: undefined, path: "" };
  for (const name of fieldPath(field)) {
    const { value: holder } = at;
    const member = isList(holder ?? null)
      ? (holder as Value[])[Number(name)]
      : isDictionary(holder ?? null)
        ? (holder as Dictionary).get(name)
        : undefined;
    at = { ...at, value: member, path: `${at.path}/${escapeToken(name)}` };
    if (resolved) at = behind(root, at);
    if (member === undefined) break;
  }
  yield at;
}

/** `a.b[0]['c']`, as names. */
const fieldPath = (field: string): string[] =>
  (field.replace(/^\$\.?/, "").match(/\[(?:'[^']*'|"[^"]*"|\d+)\]|[^.[]+/g) ?? []).map((part) =>
    part.replace(/^\[['"]?|['"]?\]$/g, ""),
  );

function behind(root: Value, target: Target): Target {
  let at = target;
  for (let hops = 0; hops < 50; hops++) {
    const reference = isDictionary(at.value ?? null) ? (at.value as Dictionary).get("$ref") : undefined;
    const tokens = typeof reference === "string" ? tokensOf(reference) : undefined;
    const value = tokens && valueAt(root, tokens);
    if (tokens === undefined || value === undefined) return at;
    at = { value, base: toPointer(tokens), path: "" };
  }
  return at;
}

/** The nearest pointer that leads to something. */
function nearest(root: Value, pointer: string): string {
  let at = pointer;
  while (at !== "" && valueAt(root, parsePointer(at) ?? []) === undefined)
    at = at.slice(0, at.lastIndexOf("/"));
  return at;
}

/** Characters of a message. */
const maxMessage = 500;

/** Fills the placeholders of a message; without a message the description is one. */
function toMessage(
  { message, description }: Rule,
  { path, message: error, value }: { path: string; message: string; value: Value | undefined },
): string {
  const property = (parsePointer(path) ?? []).at(-1) ?? "";
  const named = property === "" ? error : `${JSON.stringify(property.slice(0, 80))} property ${error}`;
  const values: Readonly<Record<string, string>> = {
    error: named,
    description: description ?? "",
    path: `#${path}`,
    property,
    value: show(value),
  };
  const text = (message ?? description ?? named).replaceAll(
    /\{\{\s*(error|description|path|property|value)\s*\}\}/g,
    (_, name: string) => values[name] ?? "",
  );
  const trimmed = text.trim();
  return trimmed.length > maxMessage ? `${trimmed.slice(0, maxMessage)}…` : trimmed;
}

const show = (value: Value | undefined): string =>
  value === undefined
    ? "undefined"
    : typeof value === "string"
      ? value.slice(0, 200)
      : isList(value)
        ? "Array[]"
        : isDictionary(value)
          ? "Object{}"
          : value !== null && isLiteral(value)
            ? value.text
            : String(value);

/** Every `$ref` that leads into the document, as a pointer. */
function collectReferences(root: Value): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting: Value[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (isList(value)) for (const item of value) waiting.push(item);
    if (!isDictionary(value)) continue;
    for (const [key, member] of value) {
      if (key !== "$ref" || typeof member !== "string") waiting.push(member);
      else {
        const tokens = tokensOf(member);
        if (tokens !== undefined) found.add(toPointer(tokens));
      }
    }
  }
  return found;
}
