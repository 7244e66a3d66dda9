import { valueAt } from "../data/at-pointer.ts";
import { type Dictionary, isDictionary, type Value } from "../data/value.ts";
import { escapeToken } from "../json/pointer.ts";
import { hasJsonSchemas, type Version } from "./grammar.ts";
import { external, tokensOf } from "./references.ts";
import { subschemasOf } from "./subschemas.ts";
import { type ApiFinding, quote, type Walk } from "./walk.ts";

/**
 * Checks that the targets of discriminators exist: each is the name of a schema in components, or a reference (OpenAPI 3.1.1,
 * Discriminator Object). Nothing is fetched.
 */
export function checkDiscriminators(root: Value, { places }: Walk, version: Version): ApiFinding[] {
  const schemas = valueAt(root, ["components", "schemas"]) ?? null;
  const findings: ApiFinding[] = [];
  const check = (target: Value | undefined, pointer: string): void => {
    if (typeof target !== "string" || (isDictionary(schemas) && schemas.has(target))) return;
    const fault = faultOf(root, target);
    if (fault !== undefined) findings.push({ ...fault, pointer });
  };
  for (const [discriminator, pointer] of discriminatorsOf(places, version)) {
    const mapping = discriminator.get("mapping") ?? null;
    if (isDictionary(mapping))
      for (const [name, target] of mapping) check(target, `${pointer}/mapping/${escapeToken(name)}`);
    if (version === "3.2") check(discriminator.get("defaultMapping"), `${pointer}/defaultMapping`);
  }
  return findings;
}

function* discriminatorsOf(places: Walk["places"], version: Version): Generator<[Dictionary, string]> {
  for (const place of places) {
    if (place.kind === "Discriminator") yield [place.value, place.pointer];
    if (place.kind !== "Schema" || !hasJsonSchemas(version)) continue;
    for (const [schema, pointer] of subschemasOf(place)) {
      const found = schema.get("discriminator") ?? null;
      if (isDictionary(found)) yield [found, `${pointer}/discriminator`];
    }
  }
}

/** Returns what is wrong with a target that is not the name of a schema. */
function faultOf(root: Value, target: string): Omit<ApiFinding, "pointer"> | undefined {
  const error = (message: string): Omit<ApiFinding, "pointer"> => ({
    rule: "discriminator-mapping",
    severity: "error",
    message,
  });
  if (target === "#" || target.startsWith("#/")) {
    const tokens = tokensOf(target);
    if (tokens === undefined || valueAt(root, tokens) === undefined)
      return error(`${quote(target)} leads nowhere in this document.`);
    return tokens[0] === "components" && tokens.length === 3 && tokens[1] !== "schemas"
      ? error(`${quote(target)} is one of the ${tokens[1]}, but this place needs one of the schemas.`)
      : undefined;
  }
  // An anchor of JSON Schema.
  if (target.startsWith("#")) return undefined;
  // What can be the name of a component is one, and not a relative reference, unless it looks like a file.
  if (/^[\w.-]+$/.test(target) && !/\.(?:json|ya?ml)$/i.test(target))
    return error(`${quote(target)} is not one of components.schemas.`);
  return external(target);
}
