import { createBoundedFindings } from "../bounded-findings.ts";
import { type Dictionary, isDictionary, isList, type Value } from "../data/value.ts";
import { readEnv } from "../env/read.ts";
import { createMatcher } from "../json-schema/patterns.ts";
import { createRun, validateValue } from "../json-schema/validate.ts";
import {
  type At,
  child,
  type ManifestFinding,
  quote,
  type ReportAt,
  type Severity,
} from "../kubernetes/at.ts";
import { type PlacedFinding, readManifests } from "../kubernetes/read.ts";
import { load } from "../load.ts";
import { withSubject } from "../must.ts";
import { interpolate, type Variables } from "./interpolate.ts";
import { checkMounts } from "./mounts.ts";
import { checkClashes, type Published, readPorts } from "./ports.ts";
import { type Project, toProject } from "./project.ts";
import { checkCycles, checkReferences } from "./references.ts";
import { composeSchema, composeSchemaValue } from "./schema.ts";
import { checkService } from "./service.ts";
import { checkAddresses, checkSubnets, checkTopLevel } from "./top-level.ts";
import { visitTexts, walk } from "./walk.ts";

export interface ComposeOptions {
  /** A dotenv file with the variables of the project; empty if they are not known. */
  env: string;
  /** Whether names that another file of the project may define must be defined here. */
  strict: boolean;
}

/** Most findings reported of each severity. */
const maxFindings = 100;

/** Keys of findings whose place is their key: the value may be on another line. */
const atKeys = new Set(["unknown-key", "name", "no-image", "undefined-network", "undefined-service"]);

/**
 * Validates a Compose file: at most 100 errors, and warnings up to 100 findings.
 * @throws DocumentFault if `env` is at fault.
 */
export async function validateCompose(
  data: string,
  { env, strict }: ComposeOptions,
): Promise<PlacedFinding[]> {
  const variables: Variables =
    env.trim() === "" ? undefined : readEnv(env, { prefix: "", expand: "compose", duplicateKeys: "last" });
  const { documents, faults } = await readManifests(data, { schema: "core", tags: "keep" });
  const findings = createBoundedFindings<PlacedFinding>(maxFindings);
  for (const fault of faults) findings.add(fault);
  const placed = documents.map(() => createBoundedFindings<ManifestFinding>(maxFindings));
  const roots = documents.map(({ value }): At => ({ value: withoutTags(value), pointer: "" }));
  /** Findings belong to the document that is being checked; rules about all of them belong to the last one. */
  let current = 0;
  const report: ReportAt = (rule, { pointer, value }, message, severity: Severity = "error") =>
    placed[current]?.add({ rule, pointer, message, severity, ...(isAtKey(rule, value) && { key: true }) });
  const isFull = (severity: Severity): boolean => placed[current]?.isFull(severity) !== false;
  const resolve = (text: string): string | undefined => interpolate(text, variables).text;
  const project = toProject(roots, { strict, report, isFull, resolve });
  // A run remembers values, so that each call has its own; that the schema is valid is tested.
  const matches = createMatcher(await load("re2js"));
  const run = createRun(composeSchemaValue(), { draft: "7", formats: false, documents: new Map(), matches });
  for (const [index, root] of roots.entries()) {
    current = index;
    if (root.value === null || root.value === undefined) continue;
    if (!isDictionary(root.value)) {
      report("type", root, "A Compose file must be an object with services.");
      continue;
    }
    reportSchema(validateValue(run, run.registry.root.root, root.value), root, report);
    walk(root, composeSchema, { report, resolve, isFull: () => isFull("error") });
    reportVariables(root, variables, report);
    checkTopLevel(root, project);
  }
  if (roots.every(({ value }) => value === null || value === undefined) && faults.length === 0)
    findings.add({
      rule: "no-services",
      severity: "error",
      message: "The file is empty; write services and one of them.",
      pointer: "",
      index: 0,
    });
  checkProject(project);
  for (const [index, document] of documents.entries())
    for (const one of document.locate(placed[index]?.list() ?? [])) findings.add(one);
  return findings.list();
}

/** Makes the checks that concern several parts of a file. */
function checkProject(project: Project): void {
  const published: Published[] = [];
  const names = new Map<string, string>();
  for (const [name, service] of project.services) {
    if (!isDictionary(service.value ?? null)) continue;
    checkService(service, project);
    checkReferences(name, service, project);
    checkMounts(service, project);
    checkAddresses(service, project);
    for (const one of readPorts(name, service, project)) published.push(one);
    const at = child(service, "container_name");
    const container = project.textAt(at);
    if (container === undefined || container === "") continue;
    const first = names.get(container);
    if (first === undefined) names.set(container, name);
    else
      project.report(
        "duplicate-container",
        at,
        `The service ${quote(first)} has the container_name ${quote(container)}, too.`,
      );
  }
  for (const network of project.defined.networks.values()) checkSubnets(network, project);
  checkClashes(published, project);
  checkCycles(project);
}

/** The text of a list says what is wrong; an object is named by its key. */
const isAtKey = (rule: string, value: Value | undefined): boolean =>
  atKeys.has(rule) && (rule === "unknown-key" || typeof value !== "string");

/** Findings of the schema, but for unknown keys, of which `walk` says more. */
function reportSchema(
  found: readonly { rule: string; message: string; pointer: string }[],
  root: At,
  report: ReportAt,
): void {
  for (const { rule, message, pointer } of found) {
    if (rule === "additional-properties") continue;
    const at = valueAt(root, pointer);
    report(
      rule === "required" ? "required" : rule === "type" ? "type" : "value",
      at,
      `${withSubject(nameOf(pointer), message)}${remedyOf(message, at)}`,
    );
  }
}

/** Says what to write where YAML has read another type than was meant. */
function remedyOf(message: string, { value }: At): string {
  const isScalar =
    typeof value === "boolean" || (typeof value === "object" && value !== null && "kind" in value);
  if (isScalar && message.includes("string")) return " Put it in quotes.";
  return typeof value === "string" && message.startsWith("Must be array") ? " Begin each item with -." : "";
}

const unescape = (token: string): string => token.replaceAll("~1", "/").replaceAll("~0", "~");

/** The last name of a pointer; an item of a list is named by the list. */
function nameOf(pointer: string): string {
  const tokens = pointer.split("/").slice(1).map(unescape);
  const last = tokens.findLastIndex((token) => !/^\d+$/.test(token));
  const rest = tokens.slice(last + 1).map((index) => `[${index}]`);
  const name = tokens[last] ?? "The file";
  return (name.length > 60 ? `${name.slice(0, 60)}…` : name) + rest.join("");
}

function valueAt(root: At, pointer: string): At {
  let value: Value | undefined = root.value;
  for (const token of pointer.split("/").slice(1)) {
    if (isDictionary(value ?? null)) value = (value as Dictionary).get(unescape(token));
    else if (isList(value ?? null)) value = (value as Value[])[Number(token)];
    else value = undefined;
  }
  return { value, pointer };
}

/** Variables that are written wrongly, and those that the project lacks. Extensions may hold anything. */
function reportVariables(root: At, variables: Variables, report: ReportAt): void {
  for (const [key] of root.value as Dictionary)
    if (!key.startsWith("x-"))
      visitTexts(child(root, key), (at, text) => {
        for (const { rule, message } of interpolate(text, variables).faults)
          report(rule, at, message, rule === "unset-variable" ? "warning" : "error");
      });
}

/** Returns a value without the tags of Compose: `!reset` removes a key, `!override` replaces what another file has. Recursive: the parser limits the depth. */
function withoutTags(value: Value): Value {
  if (isList(value)) return value.map(withoutTags);
  if (!isDictionary(value)) return value;
  const [tag] = value.size === 1 ? value.keys() : [];
  if (tag?.startsWith("!") === true) return withoutTags(value.get(tag) ?? null);
  const kept = Array.from(value).filter(
    ([, member]) => !(isDictionary(member) && member.size === 1 && member.has("!reset")),
  );
  return new Map(kept.map(([key, member]) => [key, withoutTags(member)]));
}
