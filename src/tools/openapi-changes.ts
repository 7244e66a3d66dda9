import { type Finding, type Report, toReport } from "../catalog/report.ts";
import type { Change } from "../lib/openapi-diff/change.ts";
import { compareApis, type Comparison } from "../lib/openapi-diff/compare.ts";
import { readIgnored } from "../lib/openapi-diff/ignored.ts";
import type { Impact } from "../lib/openapi-diff/rules.ts";
import { toJsonValues } from "../lib/json-schema/validate.ts";
import { versionOf } from "../lib/openapi/version-of.ts";
import { openDocument, type ReadDocument } from "./document.ts";
import { refuse, refusing, refusingOption } from "./refusing.ts";

export interface DescriptionPair {
  old: ReadDocument;
  new: ReadDocument;
  comparison: Comparison;
}

export interface CompareOptions {
  /** The field that is the old description. */
  old: "data" | "other";
  ignore: readonly string[];
}

/** Reads two descriptions and compares them. @throws ToolError invalid_document for a text that is no description. */
export async function compareDescriptions(
  data: string,
  other: string,
  { old, ignore }: CompareOptions,
  now: number,
): Promise<DescriptionPair> {
  const ignored = refusingOption("ignore", () => readIgnored(ignore));
  const given = [await readDescription(data), await readDescription(other, "other")] as const;
  const [from, to] = old === "data" ? given : [given[1], given[0]];
  const comparison = refusing(other, () =>
    compareApis(from.root, to.root, { old: from.version, new: to.version }, { now, ignored }),
  );
  return { old: from.document, new: to.document, comparison };
}

async function readDescription(text: string, field?: string) {
  // JSON is valid YAML, but the JSON parser has better messages.
  const format = /^\s*(?:\[|\{\s*(?:"|\}|$))/.test(text) ? "json" : "yaml";
  const document = await openDocument(text, format, field === undefined ? {} : { field });
  const root = toJsonValues(document.value);
  const version = versionOf(root);
  if (typeof version !== "string") {
    const [place] = document.locate([version]);
    throw refuse(text, { offset: place?.offset ?? 0 }, version.message, field);
  }
  return { document, root, version };
}

const order: readonly Impact[] = ["breaking", "dangerous", "safe"];

/** Writes changes as JSON, with their places in the old or the new description, those that break first. */
export function writeDescriptionChanges({ old, new: now, comparison }: DescriptionPair): string {
  const rows = sortChanges(comparison.changes);
  const places = [old, now].map((document, at) =>
    document.locate(
      rows.flatMap((one, index) =>
        one.isOld === (at === 0) ? [{ index, pointer: one.isOld ? one.old : one.new }] : [],
      ),
    ),
  );
  const located = new Map(places.flat().map((one) => [one.index, one]));
  return JSON.stringify(
    rows.map(({ impact, rule, message, operation, isOld }, index) => {
      const { pointer = "", line = 1, column = 1 } = located.get(index) ?? {};
      return { impact, rule, message, operation, in: isOld ? "old" : "new", pointer, line, column };
    }),
    null,
    2,
  );
}

const sortChanges = (changes: readonly Change[]): Change[] =>
  changes.toSorted((a, b) => order.indexOf(a.impact) - order.indexOf(b.impact));

/** Writes changes for people: a heading for each impact, and a list below it. */
export function writeDescriptionSummary({ comparison: { changes, more } }: DescriptionPair): string {
  const sections = order.flatMap((impact) => {
    const some = changes.filter((one) => one.impact === impact);
    if (some.length === 0) return [];
    const items = some.map(
      ({ message }) => `- ${message.replaceAll(/[\\`*_[\]<>|]/g, String.raw`\$&`).replaceAll(/\s+/g, " ")}`,
    );
    return [`## ${impact.charAt(0).toUpperCase()}${impact.slice(1)}`, "", ...items, ""];
  });
  if (more > 0) sections.push(`There are ${more} more changes.`);
  return sections.length === 0 ? "No changes." : sections.join("\n").trimEnd();
}

/** Changes reported at most. */
const maxShown = 100;

export type FailOn = "breaking" | "any" | "never";

/** The report of a check. Its places are in the document of the field `data`, whether that is the old one or the new one. */
export function toDescriptionReport(
  { old, new: now, comparison }: DescriptionPair,
  failOn: FailOn,
  inOld: boolean,
): Report {
  const fails = (impact: Impact): boolean =>
    failOn === "any" || (failOn === "breaking" && impact === "breaking");
  const wanted = sortChanges(comparison.changes).filter(
    ({ impact }) => impact !== "safe" || failOn === "any",
  );
  const found = wanted.slice(0, maxShown).map((one) => ({
    message: one.message,
    severity: fails(one.impact) ? ("error" as const) : ("warning" as const),
    rule: one.rule,
    pointer: inOld ? one.old : one.new,
  }));
  const findings: Finding[] = (inOld ? old : now).locate(found);
  const rest = wanted.length - found.length + comparison.more;
  if (rest > 0)
    findings.push({
      message: `There are ${rest} more changes.`,
      severity: "warning",
      rule: "more-changes",
      line: 1,
      column: 1,
      offset: 0,
      pointer: "",
    });
  return toReport(findings.toSorted((a, b) => a.offset - b.offset));
}
