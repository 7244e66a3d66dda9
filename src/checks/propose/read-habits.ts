import { type Dictionary, isDictionary, isList, type Value } from "../../lib/data/value.ts";
import { type EditorConfig, parseEditorConfig } from "../../lib/editorconfig/parse.ts";
import { type Properties, propertiesOf } from "../../lib/editorconfig/properties.ts";
import { OptionFault } from "../../lib/fault.ts";
import { fromYaml } from "../../lib/yaml/from-yaml.ts";
import { loadYaml } from "../../lib/yaml/parse.ts";
import type { Level } from "../severity.ts";
import type { HeldFiles } from "./propose-checks.ts";

/** The settings of other programs in the repository, as far as they concern its files. */
export interface Habits {
  /** The file that makes Prettier format the repository. */
  prettier: string | undefined;
  /** The indentation of a file, by `.editorconfig`; empty if it says nothing. */
  indentOf(path: string): { indent?: number; useTabs?: boolean };
  /** By the settings of yamllint. */
  yaml: YamlHabits;
}

interface YamlHabits {
  options: Readonly<Record<string, unknown>>;
  rules: Readonly<Record<string, Level>>;
  ignore: readonly string[];
}

/** Reads the settings in the root of a repository. Those that cannot be read say nothing. */
export async function readHabits(held: HeldFiles): Promise<Habits> {
  const text = (path: string): string | undefined => {
    const bytes = held.paths.includes(path) ? held.read(path) : undefined;
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  };
  const linting = [".yamllint", ".yamllint.yaml", ".yamllint.yml"].map(text).find((one) => one !== undefined);
  return {
    prettier: findPrettier(held, text("package.json")),
    indentOf: readEditorconfig(text(".editorconfig")),
    yaml: linting === undefined ? noYamlHabits : await readYamllint(linting),
  };
}

const isPrettier =
  /(?:^|\/)(?:\.prettierrc(?:\.(?:json5?|ya?ml|toml|[cm]?[jt]s))?|prettier\.config\.[cm]?[jt]s)$/;

function findPrettier({ paths, read }: HeldFiles, manifest: string | undefined): string | undefined {
  const file = paths.find((path) => isPrettier.test(path) && read(path) !== undefined);
  if (file !== undefined || manifest === undefined) return file;
  try {
    const found: unknown = JSON.parse(manifest);
    return typeof found === "object" && found !== null && "prettier" in found ? "package.json" : undefined;
  } catch {
    return undefined;
  }
}

/** The settings in the root of the repository hold for all of it. */
function readEditorconfig(text: string | undefined): Habits["indentOf"] {
  if (text === undefined) return () => ({});
  const config = parseEditorConfig(text);
  return (path) => {
    const found = tryProperties(path, config);
    const size = found?.get("indent_size");
    const columns = Number(size === "tab" || size === undefined ? found?.get("tab_width") : size);
    return {
      ...(Number.isInteger(columns) && columns >= 1 && columns <= 10 && { indent: columns }),
      ...(found?.get("indent_style") === "tab" && { useTabs: true }),
    };
  };
}

/** Returns undefined if the globs are too long. */
function tryProperties(path: string, config: EditorConfig): Properties | undefined {
  try {
    return propertiesOf(path, [{ folder: "", config }]);
  } catch (error) {
    if (error instanceof OptionFault) return undefined;
    throw error;
  }
}

const noYamlHabits: YamlHabits = { options: {}, rules: {}, ignore: [] };

/** The rules of yamllint that yaml-validator has: its lint, or the rule of its own. */
const lintOf = new Map([
  ["indentation", "indent"],
  ["truthy", "truthy"],
  ["key-ordering", "key-order"],
]);

/** The rules that `extends: default` turns on: an indentation that is consistent, and truthy as a warning. */
const defaults = new Map<string, Level>([
  ["indentation", "error"],
  ["truthy", "warning"],
]);

async function readYamllint(text: string): Promise<YamlHabits> {
  let settings: Value | undefined;
  try {
    [settings] = fromYaml(await loadYaml(), text, { schema: "core", merge: true, keys: "stringify" });
  } catch {
    return noYamlHabits;
  }
  if (settings === undefined || !isDictionary(settings)) return noYamlHabits;
  const base = settings.get("extends") === undefined ? [] : [...defaults];
  const wanted = new Map<string, Level>(base);
  const given = settings.get("rules");
  for (const [rule, value] of given !== undefined && isDictionary(given) ? given : []) {
    const level = toLevel(value, wanted.get(rule));
    if (level !== undefined) wanted.set(rule, level);
  }
  const lint = [...lintOf].filter(([rule]) => isOn(wanted.get(rule)));
  const warned = lint.filter(([rule]) => wanted.get(rule) === "warning").map(([, own]) => [own, "warning"]);
  return {
    options: {
      ...(lint.length > 0 && { lint: lint.map(([, own]) => own) }),
      ...(wanted.get("key-duplicates") === "off" && { duplicateKeys: "allow" }),
    },
    rules: Object.fromEntries(warned) as Record<string, Level>,
    ignore: readIgnore(settings),
  };
}

const isOn = (level: Level | undefined): boolean => level === "error" || level === "warning";

/** A rule is `enable`, `disable`, or an object, of which `level` matters here. */
function toLevel(value: Value, before: Level | undefined): Level | undefined {
  if (value === "disable" || value === false) return "off";
  if (value === "enable" || value === true) return before === "warning" ? "warning" : "error";
  if (!isDictionary(value)) return undefined;
  return value.get("level") === "warning"
    ? "warning"
    : value.get("level") === "error"
      ? "error"
      : (before ?? "error");
}

/** `ignore` has patterns as `.gitignore` has, in lines or in a list. */
function readIgnore(settings: Dictionary): string[] {
  const value = settings.get("ignore");
  const lines = value !== undefined && isList(value) ? value : [value];
  return lines
    .flatMap((one) => (typeof one === "string" ? one.split("\n") : []))
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#") && !line.startsWith("!"))
    .map((line) => (/\/./.test(line) ? line.replace(/^\//, "") : `**/${line}`).replace(/\/$/, ""));
}
