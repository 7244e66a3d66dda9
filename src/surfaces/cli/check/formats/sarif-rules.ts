import type { CatalogTool } from "../../../../catalog/catalog.ts";
import { explanations } from "../../../../catalog/error-explanations.ts";
import { type ErrorCode, errorCodes } from "../../../../catalog/errors.ts";
import { aliasesOf } from "../../../../checks/severity.ts";
import { toRuleId } from "../../../../checks/rule-id.ts";

/** A `reportingDescriptor` object (§3.49). Code scanning shows up to 1024 characters of each text. */
export interface Descriptor {
  id: string;
  shortDescription: { text: string };
  fullDescription: { text: string };
  help: { text: string };
  /** The ids of replaced programs, by which code scanning finds the rule. */
  properties?: { tags: readonly string[] };
}

export interface Descriptors {
  list: Descriptor[];
  /** Returns the index of a rule in the list, adding it on first use. Rules without a tool are those of the command. */
  refer(tool: CatalogTool | undefined, rule: string): { id: string; index: number };
}

export function createDescriptors(): Descriptors {
  const list: Descriptor[] = [];
  const indexes = new Map<string, number>();
  return {
    list,
    refer(tool, rule) {
      const id = toRuleId(tool, rule);
      let index = indexes.get(id);
      if (index === undefined) {
        index = list.push(toDescriptor(id, rule, tool)) - 1;
        indexes.set(id, index);
      }
      return { id, index };
    },
  };
}

function toDescriptor(id: string, rule: string, tool: CatalogTool | undefined): Descriptor {
  const [short, full] = describe(rule, tool);
  const help =
    tool === undefined
      ? "Run penknife check --help."
      : `Run penknife tools ${tool.slug} for the options and examples of the tool.`;
  const aliases = aliasesOf(tool, rule);
  return {
    id,
    shortDescription: { text: short },
    fullDescription: { text: full },
    help: { text: help },
    ...(aliases.length > 0 && { properties: { tags: aliases } }),
  };
}

function describe(rule: string, tool: CatalogTool | undefined): readonly [short: string, full: string] {
  const own = Object.hasOwn(ownRules, rule) ? ownRules[rule] : undefined;
  if (own !== undefined) return own;
  if (tool === undefined) throw new Error(`The command has no rule ${rule}`);
  const { slug, title, summary } = tool;
  if (isCode(rule)) return [`${title}: ${lowerFirst(errorCodes[rule].title)}`, explanations[rule]];
  if (rule === slug) return [`${title}: the document would change`, summary];
  return [`${title}: ${rule.replaceAll("-", " ")}`, summary];
}

/** Rules of the check command itself, whatever the tool. */
const ownRules: Record<string, [short: string, full: string]> = {
  unreadable: [
    "A file cannot be read",
    "A file or folder that the command names cannot be read, so it is not checked.",
  ],
  "no-match": [
    "A pattern matches no file",
    "A pattern of the command matches no file, so it checks nothing.",
  ],
  "invalid-ignore": [
    "A comment that ignores findings is invalid",
    "A comment penknife-ignore must name a rule as TOOL/RULE, and give a reason. Otherwise it ignores nothing.",
  ],
  "unused-ignore": [
    "A comment ignores nothing",
    "The rule of a comment penknife-ignore has no finding on its line. The comment can be removed.",
  ],
  "left-out": [
    "Files are left out",
    "Patterns leave out files in .git and node_modules unless they name that folder, and do not follow links to folders.",
  ],
};

const isCode = (rule: string): rule is ErrorCode => Object.hasOwn(errorCodes, rule);

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
