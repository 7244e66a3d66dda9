import type { Finding, Report } from "../catalog/report.ts";
import { createBoundedFindings } from "../lib/bounded-findings.ts";
import { fromJson } from "../lib/data/from-json.ts";
import { isDictionary, type Value } from "../lib/data/value.ts";
import { draftOf } from "../lib/json-schema/dialects.ts";
import { createMatcher } from "../lib/json-schema/patterns.ts";
import { prepareSchema, toJsonValues } from "../lib/json-schema/validate.ts";
import { load } from "../lib/load.ts";
import { parsePointer } from "../lib/json/pointer.ts";
import { type ApiOptions, validateOpenApi } from "../lib/openapi/validate.ts";
import { versionOf } from "../lib/openapi/version-of.ts";
import { functions, type MakerDeps } from "../lib/ruleset/functions.ts";
import { oasFunctions } from "../lib/ruleset/oas-functions.ts";
import { oasRuleset, toSpectralRule } from "../lib/ruleset/oas-rules.ts";
import { readRuleset } from "../lib/ruleset/read-ruleset.ts";
import type { Level, Ruleset } from "../lib/ruleset/ruleset-parts.ts";
import { runRuleset } from "../lib/ruleset/run-ruleset.ts";
import { locating, openDocument, type ReadDocument } from "./document.ts";
import { toMarkedReport } from "./json-mark.ts";
import { refusing, refusingOption } from "./refusing.ts";

/** Findings of a report. */
const maxFindings = 1000;

interface RulesetOptions extends ApiOptions {
  ruleset: string;
  fileName: string;
}

/** Checks a document by the rules of a ruleset, and by nothing else. @throws ToolError for a ruleset at fault, with its place */
export async function checkByRuleset(
  data: string,
  format: "json" | "yaml",
  document: ReadDocument,
  { ruleset: text, fileName, ...options }: RulesetOptions,
): Promise<Report> {
  const re2 = await load("re2js");
  const root = toJsonValues(document.value);
  const version = versionOf(root);
  const formats =
    typeof version === "string" ? (version === "2.0" ? ["oas2"] : ["oas3", `oas${version}`]) : [];
  const source = await openDocument(text, /^\s*\{/.test(text) ? "json" : "yaml", { field: "ruleset" });
  const deps = { re2, schema: createSchemas(createMatcher(re2)), formats, fileName };
  const ruleset = await refusing(
    text,
    () =>
      locating(source, async () =>
        readRuleset(toJsonValues(source.value), { ...deps, functions, builtIn: oasFunctions, known }),
      ),
    "ruleset",
  );
  const { findings: found, more } = refusing(data, () =>
    refusingOption("ruleset", () => runRuleset(ruleset, root, { re2, formats })),
  );
  const all = found.map(({ level, ...one }) => ({ ...one, severity: toSeverity(level) }));
  all.push(...(await findByValidator(ruleset, root, options, version === "2.0")));
  const bounded = createBoundedFindings<(typeof all)[number]>(maxFindings);
  for (const one of all) bounded.add(one);
  const kept = bounded.list();
  const findings: Finding[] = document.locate(kept).toSorted((a, b) => a.offset - b.offset);
  const rest = all.length - kept.length + more;
  if (rest > 0)
    findings.push({
      message: `There are ${rest} more findings.`,
      severity: "warning",
      rule: "more-findings",
      line: 1,
      column: 1,
      offset: 0,
      pointer: "",
    });
  return toMarkedReport(data, format, findings);
}

const known = (name: string): Value | undefined =>
  name === "spectral:oas" ? fromJson(oasRuleset(), "json") : undefined;

/** A report has errors and warnings. */
const toSeverity = (level: Exclude<Level, "off">): "error" | "warning" =>
  level === "error" ? "error" : "warning";

function createSchemas(matches: ReturnType<typeof createMatcher>): MakerDeps["schema"] {
  const drafts = {
    draft4: "4",
    draft6: "6",
    draft7: "7",
    "draft2019-09": "2019-09",
    "draft2020-12": "2020-12",
  } as const;
  return (schema, dialect) => {
    const uri = isDictionary(schema) ? schema.get("$schema") : undefined;
    const own = typeof uri === "string" ? draftOf(uri) : undefined;
    const draft = Object.hasOwn(drafts, dialect) ? drafts[dialect as keyof typeof drafts] : (own ?? "7");
    const { validate } = prepareSchema(schema, { draft, formats: true, documents: new Map(), matches });
    return (value) =>
      validate(value).map(({ message, pointer }) => ({
        message: `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/\.$/, ""),
        path: parsePointer(pointer) ?? [],
      }));
  };
}

/** The validator's own findings, under the names and with the severities of the ruleset, as far as it has such rules. */
async function findByValidator(
  { rules }: Ruleset,
  root: Value,
  options: ApiOptions,
  isOld: boolean,
): Promise<{ rule: string; severity: "error" | "warning"; message: string; pointer: string }[]> {
  const wanted = [...rules.values()].some(({ level, given }) => level !== "off" && given.length === 0);
  if (!wanted) return [];
  const found = await validateOpenApi(root, options);
  return found.flatMap(({ rule, severity, message, pointer }) => {
    const name = toSpectralRule(rule, pointer, isOld);
    const level = rules.get(name)?.level ?? "off";
    if (level === "off") return [];
    // A warning of the validator is a doubt, not a fault.
    const isDoubt = severity === "warning" && rule !== "example-schema";
    return [{ rule: name, severity: isDoubt ? ("warning" as const) : toSeverity(level), message, pointer }];
  });
}
