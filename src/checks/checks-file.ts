import type { Catalog } from "../catalog/catalog.ts";
import { ToolError } from "../catalog/errors.ts";
import { nearest } from "../lib/nearest.ts";
import { type Dictionary, isDictionary, isList, type Value } from "../lib/data/value.ts";
import { DocumentFault, OptionFault } from "../lib/fault.ts";
import { createPatternBudget, type PatternBudget } from "../lib/glob/path-set.ts";
import { toPointer } from "../lib/json/pointer.ts";
import { kindOf } from "../lib/must.ts";
import { placesOf } from "../lib/places.ts";
import { findYamlPlaces } from "../lib/yaml/find-places.ts";
import { fromYaml } from "../lib/yaml/from-yaml.ts";
import { loadYaml, type YamlLibrary } from "../lib/yaml/parse.ts";
import { toPlain } from "../catalog/yaml-options.ts";
import type { Check } from "./check-files.ts";
import { readCheck } from "./read-check.ts";
import { readRules } from "./read-rules.ts";
import { createExclusion, createFileFilter, type FilterPatterns } from "./path-filter.ts";

/** One entry of `checks`. */
export interface ChecksEntry extends Check {
  /** The files that the entry is for. */
  patterns: FilterPatterns;
  /** Whether an entry that is for no file is an error. */
  required: boolean;
  /** Whether the entry is for files that Git ignores, too. */
  includeIgnored: boolean;
  /** RFC 6901, in the file. */
  pointer: string;
}

/** A file `penknife.checks.yaml`, validated. */
export interface ChecksFile {
  entries: readonly ChecksEntry[];
  /** The file of known findings, relative to this one. */
  baseline?: string;
  /** Whether no entry is for a file. */
  excludes(path: string): boolean;
  /** Returns `penknife.checks.yaml:3:5`, the place of a value, for each pointer. */
  locate(pointers: readonly string[]): string[];
}

export interface ReadChecksDeps {
  catalog: Catalog;
  /** Slugs that the configuration switches off. */
  disabled: readonly string[];
  /** Reads a second document. @param name As written. @throws ToolError if it cannot be read. */
  readText(name: string): string | Promise<string>;
}

/** A mistake in the file. */
export interface Mistake {
  message: string;
  /** RFC 6901. */
  pointer: string;
  /** Whether the place is the key and not the value. */
  key?: true;
}

/** Collects the mistakes of a file, so that all of them are reported at once. */
export type Report = (mistake: Mistake) => void;

/**
 * Reads and validates a file of checks, with the options of its tools. Nothing is checked yet.
 * @param path The name of the file in messages.
 * @throws ToolError invalid_input with a line for each mistake, which begins with path, line and column.
 */
export async function readChecksFile(text: string, path: string, deps: ReadChecksDeps): Promise<ChecksFile> {
  const yaml = await loadYaml();
  const mistakes: Mistake[] = [];
  const report: Report = (mistake) => void mistakes.push(mistake);
  const document = parse(yaml, text, path);
  const file = await toChecks(document, report, deps, (pointers) => locate(yaml, text, path, pointers));
  if (mistakes.length > 0) throw refuse(yaml, text, path, mistakes);
  return file;
}

/** Most entries of a file. Each is validated, and each file is compared with the patterns of all. */
const maxEntries = 10_000;

const known = ["checks", "exclude", "baseline"];
const knownOfCheck = ["tool", "files", "exclude", "with", "severity", "rules", "required", "includeIgnored"];

function parse(yaml: YamlLibrary, text: string, path: string): Value {
  try {
    const [document = null, ...more] = fromYaml(yaml, text, { schema: "core", merge: true, keys: "error" });
    if (more.length === 0) return document;
    throw new ToolError("invalid_input", `${path}: A file holds one document; leave out what follows ---.`);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const [place] = placesOf(text, [error.at]);
    throw new ToolError("invalid_input", `${path}:${place?.line}:${place?.column}: ${error.message}`);
  }
}

async function toChecks(
  document: Value,
  report: Report,
  deps: ReadChecksDeps,
  locateValues: ChecksFile["locate"],
): Promise<ChecksFile> {
  const entries: ChecksEntry[] = [];
  const file: ChecksFile = {
    entries,
    excludes: () => false,
    locate: locateValues,
  };
  if (!isDictionary(document)) {
    report({
      message: `Must be an object such as {checks: [{tool: json-validator, files: "**/*.json"}]}.`,
      pointer: "",
    });
    return file;
  }
  refuseUnknown(document, known, "", report);
  const exclude = toPatterns(document.get("exclude") ?? [], "/exclude", report);
  const budget = createPatternBudget();
  file.excludes = tryFilter(createExclusion, exclude, budget, "/exclude", report) ?? file.excludes;
  const baseline = document.get("baseline");
  if (typeof baseline === "string" && baseline !== "") file.baseline = baseline;
  else if (baseline !== undefined)
    report({
      message: "baseline must be the name of a file, such as penknife.baseline.ndjson.",
      pointer: "/baseline",
    });
  const list = document.get("checks");
  if (list === undefined || !isList(list) || list.length === 0) {
    report({
      message: `checks must be a list such as [{tool: json-validator, files: "**/*.json"}].`,
      pointer: "/checks",
    });
    return file;
  }
  if (list.length > maxEntries) {
    report({
      message: `checks has ${list.length} entries, and the most is ${maxEntries}. Put files with the same options into one entry.`,
      pointer: `/checks/${maxEntries}`,
    });
    return file;
  }
  for (const [index, item] of list.entries()) {
    const entry = await toEntry(item, `/checks/${index}`, report, deps, budget, locateValues);
    if (budget.left < 0) break;
    if (entry !== undefined) entries.push(entry);
  }
  return file;
}

async function toEntry(
  item: Value,
  pointer: string,
  report: Report,
  deps: ReadChecksDeps,
  budget: PatternBudget,
  locateValues: ChecksFile["locate"],
): Promise<ChecksEntry | undefined> {
  if (!isDictionary(item)) {
    report({
      message: `A check must be an object such as {tool: json-validator, files: "**/*.json"}.`,
      pointer,
    });
    return undefined;
  }
  refuseUnknown(item, knownOfCheck, pointer, report);
  const patterns = toPatterns(item.get("files"), `${pointer}/files`, report);
  const isFilter = tryFilter(createFileFilter, patterns, budget, `${pointer}/files`, report) !== undefined;
  const exclude = toPatterns(item.get("exclude") ?? [], `${pointer}/exclude`, report);
  const isExclusion = tryFilter(createExclusion, exclude, budget, `${pointer}/exclude`, report) !== undefined;
  const severity = item.get("severity");
  if (severity !== undefined && severity !== "error" && severity !== "warning")
    report({ message: "severity must be error or warning.", pointer: `${pointer}/severity` });
  const [required, includeIgnored] = ["required", "includeIgnored"].map((name) =>
    toBoolean(item.get(name), name, pointer, report),
  ) as [boolean, boolean];
  const check = await readCheck(item, pointer, report, deps, locateValues);
  const rules = check && readRules(item, check.tool, pointer, report);
  if (check === undefined || !isFilter || !isExclusion) return undefined;
  return {
    ...check,
    ...((severity === "error" || severity === "warning") && { severity }),
    ...(rules && { rules }),
    patterns: { files: patterns, exclude },
    required,
    includeIgnored,
    pointer,
  };
}

/** Reports keys that the file cannot have, each with the nearest that it can. */
function refuseUnknown(given: Dictionary, names: readonly string[], pointer: string, report: Report): void {
  for (const name of given.keys()) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    const hint = near === undefined ? `Known keys: ${names.join(", ")}.` : `Did you mean ${near}?`;
    report({
      message: `Unknown key ${JSON.stringify(name.slice(0, 64))}. ${hint}`,
      pointer: pointer + toPointer([name]),
      key: true,
    });
  }
}

function toBoolean(value: Value = false, name: string, pointer: string, report: Report): boolean {
  if (typeof value !== "boolean")
    report({
      message: `${name} must be true or false, got ${kindOf(toPlain(value))}.`,
      pointer: `${pointer}/${name}`,
    });
  return value === true;
}

/** One pattern, or a list of them. */
function toPatterns(value: Value | undefined, pointer: string, report: Report): string[] {
  const list = value !== undefined && isList(value) ? value : [value];
  const texts = list.filter((one) => typeof one === "string");
  if (texts.length !== list.length || (texts.length === 0 && pointer.endsWith("/files"))) {
    const name = pointer.split("/").at(-1);
    report({ message: `${name} must be a pattern such as "**/*.json", or a list of patterns.`, pointer });
  }
  return texts;
}

function tryFilter(
  create: typeof createFileFilter,
  patterns: readonly string[],
  budget: PatternBudget,
  pointer: string,
  report: Report,
): ((path: string) => boolean) | undefined {
  try {
    return create(patterns, budget);
  } catch (error) {
    if (!(error instanceof OptionFault)) throw error;
    report({ message: error.message, pointer });
    return undefined;
  }
}

function locate(
  yaml: YamlLibrary,
  text: string,
  path: string,
  pointers: readonly string[],
  keys: ReadonlySet<string> = new Set(),
): string[] {
  const indexes = findYamlPlaces(yaml, text, pointers, keys);
  const places = placesOf(
    text,
    indexes.map((index) => ({ index })),
  );
  return places.map(({ line, column }) => `${path}:${line}:${column}`);
}

/** Most mistakes that are reported. */
const maxShown = 20;

function refuse(yaml: YamlLibrary, text: string, path: string, mistakes: readonly Mistake[]): ToolError {
  const shown = mistakes.slice(0, maxShown);
  const pointers = shown.map(({ pointer }) => pointer);
  const values = locate(yaml, text, path, pointers);
  const keys = locate(yaml, text, path, pointers, new Set(pointers));
  const lines = shown.map(({ message, key }, at) => `${(key ? keys : values)[at]}: ${message}`);
  if (mistakes.length > maxShown) lines.push(`${path}: and ${mistakes.length - maxShown} more`);
  return new ToolError("invalid_input", lines.join("\n"));
}
