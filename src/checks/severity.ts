import type { CatalogTool } from "../catalog/catalog.ts";
import type { CheckedFile, FileFinding } from "./verdict.ts";

export type Severity = FileFinding["severity"];

/** The levels that a list of checks can give to a rule. */
export const levels = ["off", "warning", "error"] as const;
export type Level = (typeof levels)[number];

/** The settings of an entry of the list for the severity of its findings. */
export interface SeverityRules {
  /** Replaces the severity of each finding. */
  severity?: Severity;
  /** Replaces it for single rules, by their names without the tool. */
  rules?: ReadonlyMap<string, Level>;
}

/** Decides the severity of a finding, for every report: the rule of the list first, then that of the entry, then the tool. */
export const decideLevel = (finding: FileFinding, { severity, rules }: SeverityRules): Level =>
  rules?.get(finding.rule) ?? severity ?? finding.severity;

/** Gives findings the severities that an entry demands, and leaves out those of rules that are off. */
export function applyLevels(found: readonly FileFinding[], rules: SeverityRules): readonly FileFinding[] {
  if (rules.severity === undefined && rules.rules === undefined) return found;
  return found.flatMap((finding) => {
    const level = decideLevel(finding, rules);
    if (level === "off") return [];
    return level === finding.severity ? [finding] : [{ ...finding, severity: level }];
  });
}

/** Reports whether findings pass: warnings do not fail. */
export const passes = (found: readonly FileFinding[]): boolean =>
  found.every(({ severity }) => severity !== "error");

/** The words of the formats of reports; `fatal` is for a file that could not be checked. */
const words = {
  human: { fatal: "", error: "", warning: "warning: " },
  github: { fatal: "error", error: "error", warning: "warning" },
  gitlab: { fatal: "critical", error: "major", warning: "minor" },
  sarif: { fatal: "error", error: "error", warning: "warning" },
  rdjson: { fatal: "ERROR", error: "ERROR", warning: "WARNING" },
  checkstyle: { fatal: "error", error: "error", warning: "warning" },
} as const;

/** Returns the word of a format for the severity of a finding. */
export const toSeverityWord = (
  format: keyof typeof words,
  { severity }: FileFinding,
  { failed, unread }: Pick<CheckedFile, "failed" | "unread"> = {},
): string => words[format][failed === true || unread === true ? "fatal" : severity];

/** Counts the findings that warn. */
export const countWarnings = (found: readonly FileFinding[]): number =>
  found.filter(({ severity }) => severity === "warning").length;

/**
 * Returns the rules of a tool that a name stands for: a rule itself, with or without the tool, or the rules that have it as an
 * alias, with or without the replaced program (`yamllint/truthy`, `truthy`). A name that is no alias is a rule.
 */
export function findRules({ slug, ruleAliases = {} }: CatalogTool, name: string): readonly string[] {
  const plain = name.startsWith(`${slug}/`) ? name.slice(slug.length + 1) : name;
  if (Object.hasOwn(ruleAliases, plain)) return [plain];
  const meant = Object.entries(ruleAliases).flatMap(([rule, aliases]) =>
    aliases.some((alias) => alias === plain || alias.slice(alias.indexOf("/") + 1) === plain) ? [rule] : [],
  );
  return meant.length > 0 ? meant : [plain];
}

/** Reports whether a program that a tool replaces has a rule under one of these ids; `aliased` is any. */
export function isRuleOf(
  { ruleAliases = {} }: CatalogTool,
  rule: string,
  program: string,
  ids: readonly string[] | "aliased",
): boolean {
  const aliases = Object.hasOwn(ruleAliases, rule) ? (ruleAliases[rule] ?? []) : [];
  if (ids === "aliased") return aliases.some((alias) => alias.startsWith(`${program}/`));
  return ids.some((id) => aliases.includes(`${program}/${id}`));
}

/** The ids that replaced programs have for a rule, such as `yamllint/key-duplicates`. */
export const aliasesOf = (tool: CatalogTool | undefined, rule: string): readonly string[] =>
  tool?.ruleAliases !== undefined && Object.hasOwn(tool.ruleAliases, rule)
    ? (tool.ruleAliases[rule] ?? [])
    : [];
