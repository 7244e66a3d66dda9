import { escapeToken } from "../json/pointer.ts";
import { valueAt } from "../data/at-pointer.ts";
import { type Dictionary, isDictionary, isList, type Value } from "../data/value.ts";
import { parsePointer } from "../json/pointer.ts";
import { hasJsonSchemas, type Version } from "./grammar.ts";
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
      const message = `${quote(target)} is in another document, which is not fetched; its target is not checked.`;
      return [{ rule: "external-ref", severity: "warning", pointer, message }];
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
function schemaReferences({ kind, value, pointer }: Place): Reference[] {
  if (kind !== "Schema") return [];
  const found: Reference[] = [];
  const waiting: [Value, string][] = [[value, pointer]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [part, here] = next;
    if (isList(part)) for (const [index, item] of part.entries()) waiting.push([item, `${here}/${index}`]);
    if (!isDictionary(part)) continue;
    for (const [key, member] of part) {
      if (["default", "enum", "const", "example", "examples"].includes(key)) continue;
      // Keys there are names chosen by the author, `default` included.
      if (
        ["properties", "patternProperties", "$defs", "dependentSchemas"].includes(key) &&
        isDictionary(member)
      ) {
        for (const [name, schema] of member) waiting.push([schema, `${here}/${key}/${escapeToken(name)}`]);
        continue;
      }
      if (key === "$ref" && typeof member === "string")
        found.push({ kind: "Schema", target: member, pointer: `${here}/$ref` });
      else waiting.push([member, `${here}/${escapeToken(key)}`]);
    }
  }
  return found;
}
