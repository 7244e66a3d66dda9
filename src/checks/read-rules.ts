import type { CatalogTool } from "../catalog/catalog.ts";
import { toPlain } from "../catalog/yaml-options.ts";
import { type Dictionary, isDictionary } from "../lib/data/value.ts";
import { toPointer } from "../lib/json/pointer.ts";
import { kindOf } from "../lib/must.ts";
import type { Report } from "./checks-file.ts";
import { findRules, type Level, levels } from "./severity.ts";

/** Reads `rules` of an entry: the level of each rule, by its name in the tool. */
export function readRules(
  entry: Dictionary,
  tool: CatalogTool,
  pointer: string,
  report: Report,
): ReadonlyMap<string, Level> | undefined {
  const given = entry.get("rules");
  if (given === undefined) return undefined;
  if (!isDictionary(given)) {
    report({
      message: `rules must be an object such as {syntax: warning}, got ${kindOf(toPlain(given))}.`,
      pointer: `${pointer}/rules`,
    });
    return undefined;
  }
  const rules = new Map<string, Level>();
  for (const [name, value] of given) {
    const place = `${pointer}/rules${toPointer([name])}`;
    const [slug = ""] = name.split("/", 1);
    const level = levels.find((one) => one === value);
    if (level === undefined) report({ message: `${name} must be off, warning or error.`, pointer: place });
    else if (name.includes("/") && slug !== tool.slug && !isAlias(tool, name))
      report({
        message: `${name} is no rule of ${tool.slug}; the findings of ${tool.slug} end with the names of its rules.`,
        pointer: place,
        key: true,
      });
    else for (const rule of findRules(tool, name)) rules.set(rule, level);
  }
  return rules;
}

const isAlias = ({ ruleAliases = {} }: CatalogTool, name: string): boolean =>
  Object.values(ruleAliases).some((aliases) => aliases.includes(name));
