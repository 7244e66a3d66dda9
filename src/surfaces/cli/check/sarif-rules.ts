import type { CatalogTool } from "../../../catalog/catalog.ts";
import { type ErrorCode, errorCodes } from "../../../catalog/errors.ts";
import { toRuleId } from "./reporter.ts";

/** A `reportingDescriptor` object (§3.49). Code scanning shows all three texts, at most 1024 characters of each. */
export interface Descriptor {
  id: string;
  shortDescription: { text: string };
  fullDescription: { text: string };
  help: { text: string };
}

export interface Descriptors {
  list: Descriptor[];
  /** The place of a rule in the list; it is put there by the first finding of it. */
  refer(rule: string): { id: string; index: number };
}

export function createDescriptors(tool: CatalogTool): Descriptors {
  const list: Descriptor[] = [];
  const indexes = new Map<string, number>();
  return {
    list,
    refer(rule) {
      let index = indexes.get(rule);
      if (index === undefined) {
        index = list.push(toDescriptor(rule, tool)) - 1;
        indexes.set(rule, index);
      }
      return { id: toRuleId(tool.slug, rule), index };
    },
  };
}

function toDescriptor(rule: string, tool: CatalogTool): Descriptor {
  const id = toRuleId(tool.slug, rule);
  const [short, full] = describe(rule, tool);
  const help = `penknife tools ${tool.slug} tells what the tool does, its options and examples.`;
  return { id, shortDescription: { text: short }, fullDescription: { text: full }, help: { text: help } };
}

function describe(rule: string, { slug, title, summary }: CatalogTool): [short: string, full: string] {
  if (isCode(rule)) return [`${title}: ${lowerFirst(errorCodes[rule].title)}`, errorCodes[rule].explain];
  if (rule === slug) return [`${title}: the document would change`, summary];
  return [`${title}: ${rule.replaceAll("-", " ")}`, summary];
}

const isCode = (rule: string): rule is ErrorCode => Object.hasOwn(errorCodes, rule);

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
