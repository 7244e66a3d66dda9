import { createBoundedFindings } from "../bounded-findings.ts";
import { type Dictionary, isDictionary, isList } from "../data/value.ts";
import { DocumentFault } from "../fault.ts";
import { changeOf, isProgramConfig, isSince } from "./api-versions.ts";
import {
  type At,
  child,
  items,
  type ManifestFinding,
  quote,
  type ReportAt,
  type Severity,
  textOf,
} from "./at.ts";
import { checkCustom, type CustomKind, readDefinition } from "./custom.ts";
import { explainMissing } from "./missing-kinds.ts";
import { type PlacedFinding, readManifests } from "./read.ts";
import { checkMetadata } from "./rules/metadata.ts";
import { checkObject } from "./rules/objects.ts";
import { checkWorkload } from "./rules/workloads.ts";
import { checkStructure } from "./structure.ts";
import { type Release, releaseOf, releases } from "./releases.ts";
import { type Types, typesOf } from "./types.ts";

export interface KubernetesOptions {
  /** A minor release, such as 36. */
  minor: number;
  /** Severity of fields that a type lacks. */
  unknown: Severity;
  /** CustomResourceDefinitions, as a YAML stream. */
  crds: string;
  /** The severity of kinds without a schema. */
  missing: Severity | "skip";
  /** The severity of versions that are deprecated and still served. */
  deprecated: Severity | "skip";
  /** Objects that are not validated, as `group/Kind` or `Kind`. */
  ignore: readonly string[];
}

/** Most findings reported of each severity. */
const maxFindings = 100;

interface Run extends KubernetesOptions {
  types: Types;
  others: ReadonlyMap<Release, Types>;
  customs: ReadonlyMap<string, CustomKind>;
  /** Where an object of the stream with the same identity was found first. */
  seen: Map<string, string>;
}

/**
 * Validates a stream of manifests: at most 100 errors, and warnings up to 100 findings.
 * @throws DocumentFault if `crds` is at fault.
 */
export async function validateManifests(data: string, options: KubernetesOptions): Promise<PlacedFinding[]> {
  const { documents, faults } = await readManifests(data);
  const release = releaseOf(options.minor);
  const all = new Map(await Promise.all(releases.map(async (one) => [one, await typesOf(one)] as const)));
  const roots = documents.map(({ value }): At => ({ value, pointer: "" }));
  const customs = new Map([
    ...(await readCrds(options.crds)),
    ...roots.flatMap(objectsOf).flatMap(definitionsOf),
  ]);
  const types = all.get(release) as Types;
  all.delete(release);
  const run: Run = { ...options, types, others: all, customs, seen: new Map() };
  const findings = createBoundedFindings<PlacedFinding>(maxFindings);
  for (const fault of faults) findings.add(fault);
  const several = documents.filter(({ value }) => value !== null).length > 1;
  for (const [index, document] of documents.entries()) {
    if (findings.isFull("error")) break;
    const found = await checkDocument(roots[index] as At, run, index + 1);
    const title = several ? `${titleOf(roots[index] as At)} (document ${index + 1}): ` : "";
    for (const one of document.locate(found)) findings.add({ ...one, message: title + one.message });
  }
  return findings.list();
}

/** Returns the kind and name of a document for messages. */
function titleOf(root: At): string {
  const name = textOf(child(root, "metadata", "name")) ?? textOf(child(root, "metadata", "generateName"));
  const kind = textOf(child(root, "kind")) ?? "Object";
  const shown = kind.length > 63 ? `${kind.slice(0, 63)}…` : kind;
  return name === undefined ? shown : `${shown} ${quote(name)}`;
}

/** Keys of findings whose place is their key: the value may be on another line. */
const atKeys = new Set(["unknown-field", "label", "annotation"]);

/** Returns what is wrong with a document, at most as many findings as are reported. */
async function checkDocument(root: At, run: Run, document: number): Promise<ManifestFinding[]> {
  // A document of comments alone.
  if (root.value === null || root.value === undefined) return [];
  const found = createBoundedFindings<ManifestFinding>(maxFindings);
  const report: ReportAt = (rule, { pointer }, message, severity = "error") =>
    found.add({ rule, pointer, message, severity, ...(atKeys.has(rule) && { key: true }) });
  for (const object of objectsOf(root))
    await checkOne(object, { ...run, isFull: found.isFull }, report, document);
  return found.list();
}

/** Returns the objects of a document: the items of a list, or the document. */
function objectsOf(root: At): At[] {
  const kind = textOf(child(root, "kind"));
  const list = child(root, "items");
  if (kind === undefined || !kind.endsWith("List") || !isList(list.value ?? null)) return [root];
  return items(list).map((item) =>
    kind === "List" ? item : withType(item, root, kind.slice(0, -"List".length)),
  );
}

/** The items of a list of one kind need not say it. */
function withType(item: At, root: At, kind: string): At {
  if (!isDictionary(item.value ?? null) || (item.value as Dictionary).has("kind")) return item;
  const apiVersion = textOf(child(root, "apiVersion")) ?? "";
  return {
    ...item,
    value: new Map([["apiVersion", apiVersion], ["kind", kind], ...(item.value as Dictionary)]),
  };
}

const definitionsOf = (object: At): [string, CustomKind][] =>
  textOf(child(object, "kind")) === "CustomResourceDefinition" && object.value !== undefined
    ? readDefinition(object.value)
    : [];

async function readCrds(text: string): Promise<[string, CustomKind][]> {
  if (text.trim() === "") return [];
  const { documents, faults } = await readManifests(text);
  const [fault] = faults;
  if (fault !== undefined)
    throw new DocumentFault(fault.message, { index: fault.index, offset: fault.offset }, fault.rule);
  const objects = documents.flatMap(({ value }) => (value === null ? [] : objectsOf({ value, pointer: "" })));
  return objects.flatMap((object, index) => {
    if (textOf(child(object, "kind")) === "CustomResourceDefinition") return definitionsOf(object);
    throw new DocumentFault(`Object ${index + 1} is no CustomResourceDefinition.`, { index: 0 });
  });
}

async function checkOne(
  root: At,
  run: Run & { isFull(severity: Severity): boolean },
  report: ReportAt,
  document: number,
): Promise<void> {
  if (!isDictionary(root.value ?? null))
    return report("manifest", root, "A manifest must be an object with apiVersion and kind.");
  const [apiVersion, kind] = [textOf(child(root, "apiVersion")), textOf(child(root, "kind"))];
  const missing = [apiVersion ? [] : ["apiVersion"], kind ? [] : ["kind"]].flat();
  if (!apiVersion || !kind)
    return report(
      "manifest",
      root,
      `A manifest must have apiVersion and kind as strings; this one lacks ${missing.join(" and ")}.`,
    );
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  if (run.ignore.includes(`${group}/${kind}`) || run.ignore.includes(kind)) return;
  const name = `${apiVersion} ${kind}`;
  checkRepetition(root, group, kind, run, report, document);
  const known = run.types.kind(name);
  const custom = run.customs.get(name);
  if (known !== undefined) {
    checkStructure(root, known.type, report, run);
    checkMetadata(child(root, "metadata"), { group, kind, namespaced: known.namespaced }, report);
    checkWorkload(group, kind, root, report);
    checkObject(group, kind, root, report);
  } else if (custom !== undefined) {
    checkStructure(child(root, "metadata"), "V1ObjectMeta", report, run);
    checkMetadata(child(root, "metadata"), { group, kind, namespaced: custom.namespaced }, report);
    await checkCustom(root, custom, report, run);
  }
  if (known === undefined && custom === undefined) reportMissing(root, apiVersion, kind, run, report);
  else if (run.deprecated !== "skip") reportDeprecated(root, name, run.minor, custom, report, run.deprecated);
}

function checkRepetition(
  root: At,
  group: string,
  kind: string,
  { seen }: Run,
  report: ReportAt,
  document: number,
): void {
  const name = child(root, "metadata", "name");
  const text = textOf(name);
  if (text === undefined) return;
  const id = [group, kind, textOf(child(root, "metadata", "namespace")) ?? "", text].join("\n");
  const first = seen.get(id);
  if (first === undefined)
    return void seen.set(
      id,
      root.pointer === "" ? `document ${document}` : `${root.pointer} of document ${document}`,
    );
  report(
    "duplicate-object",
    name,
    `${kind} ${quote(text)} is already in ${first}; the later one would replace it.`,
  );
}

function reportMissing(root: At, apiVersion: string, kind: string, run: Run, report: ReportAt): void {
  const { missing, minor } = run;
  if (isProgramConfig(apiVersion, kind)) {
    if (missing !== "skip")
      report(
        "no-object",
        child(root, "kind"),
        `${quote(kind)} of ${quote(apiVersion)} configures a program and is no object of a cluster, so it is not validated.`,
        "warning",
      );
    return;
  }
  const change = changeOf(`${apiVersion} ${kind}`);
  if (change !== undefined && isSince(minor, change.removed)) {
    const advice = change.replacement === undefined ? "It has no replacement." : `Use ${change.replacement}.`;
    return report(
      "removed-api",
      child(root, "apiVersion"),
      `${apiVersion} of ${kind} was removed in Kubernetes ${change.removed}. ${advice}`,
    );
  }
  const found = explainMissing(apiVersion, kind, run.types, run.others);
  if (found.builtIn) report("unknown-kind", child(root, found.field), found.message);
  else if (missing !== "skip") report("missing-schema", child(root, "kind"), found.message, missing);
}

function reportDeprecated(
  root: At,
  name: string,
  minor: number,
  custom: CustomKind | undefined,
  report: ReportAt,
  severity: Severity,
): void {
  const at = child(root, "apiVersion");
  if (custom?.deprecated === true)
    return report(
      "deprecated-api",
      at,
      custom.warning ?? `${name.replace(" ", " of ")} is deprecated by its CustomResourceDefinition.`,
      severity,
    );
  const change = changeOf(name);
  if (change === undefined || !isSince(minor, change.deprecated)) return;
  const advice = change.replacement === undefined ? "" : ` Use ${change.replacement}.`;
  report(
    "deprecated-api",
    at,
    `${name.replace(" ", " of ")} is deprecated since Kubernetes ${change.deprecated}.${advice}`,
    severity,
  );
}
