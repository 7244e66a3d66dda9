import type { CatalogTool } from "../catalog/catalog.ts";

/**
 * Qualifies a rule with its tool, because two tools may have rules of the same name. A rule without a tool is one of the
 * check itself.
 */
export function toRuleId(tool: CatalogTool | undefined, rule: string): string {
  const slug = tool?.slug ?? "penknife";
  return rule === slug ? slug : `${slug}/${rule}`;
}

/**
 * Reports whether a finding is about the file as a whole: that a formatter would change it. Its place is only that of the first
 * change, so it moves with every edit above.
 */
export const isAboutFile = (tool: CatalogTool | undefined, rule: string): boolean =>
  tool?.check === "change" && rule === tool.slug;
