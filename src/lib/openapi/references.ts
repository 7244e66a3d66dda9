import { valueAt } from "../data/at-pointer.ts";
import { type Dictionary, isDictionary, type Value } from "../data/value.ts";
import { parsePointer } from "../json/pointer.ts";
import { hasJsonSchemas, type Version } from "./grammar.ts";
import { subschemasOf } from "./subschemas.ts";
import type { ApiFinding, Place, Reference, Walk } from "./walk.ts";
import { quote } from "./walk.ts";

/**
 * Returns the tokens of a reference into the document itself, or undefined if it leads elsewhere or is
 * malformed.
 */
export function tokensOf(reference: string): string[] | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  try {
    return parsePointer(decodeURIComponent(reference.slice(1)));
  } catch {
    return undefined;
  }
}

/** Returns the object at a place, following references; undefined if they lead nowhere or in a circle. */
export function follow(root: Value, value: Value | undefined): Dictionary | undefined {
  let at = value;
  for (let hops = 0; hops < 50; hops++) {
    if (at === undefined || !isDictionary(at)) return undefined;
    const target = at.get("$ref");
    if (typeof target !== "string") return at;
    const tokens = tokensOf(target);
    at = tokens && valueAt(root, tokens);
  }
  return undefined;
}

/** A target in another document. */
export const external = (target: string): Omit<ApiFinding, "pointer"> => ({
  rule: "external-ref",
  severity: "warning",
  message: `${quote(target)} is in another document, which is not fetched; its target is not checked.`,
});

const sections: Record<string, string[]> = {
  Schema: ["schemas", "definitions"],
  Response: ["responses"],
  Parameter: ["parameters"],
  Example: ["examples"],
  RequestBody: ["requestBodies"],
  Header: ["headers"],
  SecurityScheme: ["securitySchemes", "securityDefinitions"],
  Link: ["links"],
  Callback: ["callbacks"],
  PathItem: ["pathItems"],
  MediaType: ["mediaTypes"],
};

/**
 * Checks that references lead to existing objects of the right kind, and not in circles. Nothing is fetched.
 */
export function checkReferences(root: Value, { places, references }: Walk, version: Version): ApiFinding[] {
  const inSchemas = hasJsonSchemas(version) ? places.flatMap(schemaReferences) : [];
  const all = [...references, ...inSchemas];
  return all.flatMap(({ kind, target, pointer }): ApiFinding[] => {
    if (!target.startsWith("#")) {
      return [{ ...external(target), pointer }];
    }
    // A name is a JSON Schema anchor, which schema validation resolves.
    if (target !== "#" && !target.startsWith("#/")) return [];
    const error = (rule: string, message: string): ApiFinding[] => [
      { rule, severity: "error", pointer, message },
    ];
    const tokens = tokensOf(target);
    const found = tokens && valueAt(root, tokens);
    if (tokens === undefined || found === undefined)
      return error("unresolved-ref", `${quote(target)} leads nowhere in this document.`);
    const section =
      tokens.length === 3 && tokens[0] === "components"
        ? tokens[1]
        : tokens.length === 2
          ? tokens[0]
          : undefined;
    const wanted = sections[kind] ?? [];
    if (
      section !== undefined &&
      !wanted.includes(section) &&
      Object.values(sections).some((names) => names.includes(section))
    )
      return error(
        "ref-kind",
        `${quote(target)} is one of the ${section}, but this place needs one of the ${wanted[0] ?? "others"}.`,
      );
    if (isDictionary(found) && follow(root, found) === undefined && leadsInCircles(root, found))
      return error("ref-loop", `${quote(target)} refers to itself in a circle.`);
    return [];
  });
}

function leadsInCircles(root: Value, start: Dictionary): boolean {
  const seen = new Set<Value>();
  let at: Value | undefined = start;
  while (at !== undefined && isDictionary(at)) {
    if (seen.has(at)) return true;
    seen.add(at);
    const target: Value | undefined = at.get("$ref");
    const tokens: string[] | undefined = typeof target === "string" ? tokensOf(target) : undefined;
    at = tokens && valueAt(root, tokens);
  }
  return false;
}

/** From 3.1 on a schema is JSON Schema: references may be in any subschema. */
function schemaReferences(place: Place): Reference[] {
  if (place.kind !== "Schema") return [];
  return Array.from(subschemasOf(place)).flatMap(([schema, pointer]) => {
    const target = schema.get("$ref");
    return typeof target === "string" ? [{ kind: "Schema", target, pointer: `${pointer}/$ref` }] : [];
  });
}
