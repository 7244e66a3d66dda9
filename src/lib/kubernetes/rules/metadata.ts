import { type At, child, isPresent, members, quote, type ReportAt, scalarOf, textOf } from "../at.ts";
import { checkName, isLabel, isLabelValue, isQualifiedName } from "../names.ts";

export interface Identity {
  group: string;
  kind: string;
  /** Undefined for a custom resource whose definition is not known. */
  namespaced: boolean | undefined;
}

/** Most characters of all annotations of an object together. */
const maxAnnotations = 262_144;

/** Checks names, labels and annotations of an object. */
export function checkMetadata(metadata: At, { group, kind, namespaced }: Identity, report: ReportAt): void {
  const name = child(metadata, "name");
  const generated = child(metadata, "generateName");
  if (!isPresent(name) && !isPresent(generated)) {
    // The API server makes the object of a review; nothing is stored.
    if (!kind.endsWith("Review"))
      report("name", metadata, `${kind} must have metadata.name, or generateName.`);
  }
  for (const [at, prefix] of [
    [name, false],
    [generated, true],
  ] as const) {
    const text = textOf(at);
    if (text === undefined) continue;
    const fault = text === "" ? "must not be empty" : checkName(group, kind, text, prefix);
    if (fault !== undefined) report("name", at, `The name ${quote(text)} ${fault}.`);
    else if (kind === "Service" && group === "" && /^\d/.test(text) && !prefix)
      report(
        "name",
        at,
        `The name ${quote(text)} of a Service begins with a digit, which clusters accept only if they relax service names; begin it with a letter.`,
        "warning",
      );
  }
  const namespace = child(metadata, "namespace");
  const inside = textOf(namespace);
  if (inside !== undefined && inside !== "") {
    const fault = isLabel(inside);
    if (fault !== undefined) report("name", namespace, `The namespace ${quote(inside)} ${fault}.`);
    if (namespaced === false)
      report("namespace", namespace, `${kind} belongs to the cluster; remove metadata.namespace.`, "warning");
  }
  checkLabels(child(metadata, "labels"), report);
  checkAnnotations(child(metadata, "annotations"), report);
}

/** Checks the keys and values of labels, or of a selector of labels. */
export function checkLabels(labels: At, report: ReportAt): void {
  for (const [key, at] of members(labels)) {
    reportKey("label", key, at, report);
    const value = textOf(at);
    const fault = value === undefined ? undefined : isLabelValue(value);
    if (fault !== undefined)
      report("label", at, `The value ${quote(value ?? "")} of the label ${quote(key)} ${fault}.`);
  }
}

function checkAnnotations(annotations: At, report: ReportAt): void {
  let length = 0;
  for (const [key, at] of members(annotations)) {
    reportKey("annotation", key.toLowerCase(), at, report);
    length += key.length + (scalarOf(at)?.length ?? 0);
  }
  if (length > maxAnnotations)
    report(
      "annotation",
      annotations,
      `The annotations must have at most ${maxAnnotations} characters together, not ${length}.`,
    );
}

function reportKey(rule: "label" | "annotation", key: string, at: At, report: ReportAt): void {
  const fault = isQualifiedName(key);
  if (fault !== undefined)
    report(rule, at, `The key ${quote(key)} of ${rule === "label" ? "a label" : "an annotation"} ${fault}.`);
}

/** Returns labels as they are compared, undefined if they are not texts. */
export const labelsOf = (labels: At): ReadonlyMap<string, string> =>
  new Map(
    members(labels).flatMap(([key, at]) => (textOf(at) === undefined ? [] : [[key, textOf(at) as string]])),
  );
