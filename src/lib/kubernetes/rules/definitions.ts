import { isDictionary } from "../../data/value.ts";
import { type At, child, isPresent, items, quote, type ReportAt, textOf } from "../at.ts";
import { isLabel, isOldLabel, isSubdomain } from "../names.ts";

/** Checks a CustomResourceDefinition beyond its types: its names, its versions, and that their schemas are structural. */
export function checkDefinition(root: At, report: ReportAt): void {
  const spec = child(root, "spec");
  const group = textOf(child(spec, "group"));
  const plural = textOf(child(spec, "names", "plural"));
  const name = child(root, "metadata", "name");
  if (
    group !== undefined &&
    plural !== undefined &&
    textOf(name) !== undefined &&
    textOf(name) !== `${plural}.${group}`
  )
    report(
      "name",
      name,
      `The name of a CustomResourceDefinition must be PLURAL.GROUP, ${quote(`${plural}.${group}`)}.`,
    );
  const fault = group === undefined ? undefined : isSubdomain(group);
  if (fault !== undefined) report("name", child(spec, "group"), `The group ${quote(group ?? "")} ${fault}.`);
  for (const field of ["plural", "singular"]) {
    const at = child(spec, "names", field);
    const wrong = textOf(at) ? isOldLabel(textOf(at) as string) : undefined;
    if (wrong !== undefined) report("name", at, `names.${field} ${wrong}.`);
  }
  checkVersions(child(spec, "versions"), report);
}

function checkVersions(versions: At, report: ReportAt): void {
  const list = items(versions);
  const stored = list.filter((version) => child(version, "storage").value === true);
  if (isPresent(versions) && stored.length !== 1)
    report("storage-version", versions, `Exactly one version must have storage: true, not ${stored.length}.`);
  const names = new Set<string>();
  for (const version of list) {
    const at = child(version, "name");
    const name = textOf(at);
    if (name !== undefined) {
      const fault = isLabel(name);
      if (fault !== undefined) report("name", at, `The version ${quote(name)} ${fault}.`);
      if (names.has(name)) report("duplicate-name", at, `The version ${quote(name)} occurs twice.`);
      names.add(name);
    }
    const schema = child(version, "schema", "openAPIV3Schema");
    if (!isPresent(schema)) {
      report("required", version, "A version must have schema.openAPIV3Schema.");
    } else if (textOf(child(schema, "type")) !== "object")
      report("structural-schema", schema, "The root of openAPIV3Schema must have type: object.");
    else checkStructural(schema, report);
  }
}

/** Most values of a schema that are visited. */
const maxVisited = 100_000;

/** Checks that every schema below `properties` and `items` says its type, as structural schemas do. */
function checkStructural(root: At, report: ReportAt): void {
  const waiting = [root];
  let visited = 0;
  for (let at = waiting.pop(); at !== undefined && visited < maxVisited; at = waiting.pop()) {
    visited++;
    if (!isDictionary(at.value ?? null)) continue;
    const isFree = ["x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"].some(
      (key) => child(at as At, key).value === true,
    );
    const type = child(at, "type");
    if (!isPresent(type) && !isFree) {
      report(
        "structural-schema",
        at,
        "A schema must have type, x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields.",
      );
      continue;
    }
    if (isPresent(child(at, "$ref")))
      report(
        "structural-schema",
        child(at, "$ref"),
        "openAPIV3Schema cannot contain $ref; write the schema out.",
      );
    if (textOf(type) === "array" && !isPresent(child(at, "items")))
      report("structural-schema", at, "A schema of type array must have items.");
    const more = child(at, "additionalProperties");
    if (isPresent(more) && isPresent(child(at, "properties")))
      report("structural-schema", more, "additionalProperties and properties exclude each other.");
    const properties = child(at, "properties");
    if (isDictionary(properties.value ?? null))
      for (const key of (properties.value as Map<string, unknown>).keys())
        waiting.push(child(properties, key));
    for (const part of [child(at, "items"), more]) if (isDictionary(part.value ?? null)) waiting.push(part);
  }
}
