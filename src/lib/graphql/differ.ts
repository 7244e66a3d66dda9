import type { DocumentNode } from "graphql";
import type { Graphql } from "./problem.ts";

/** The effect of a change on clients: it breaks operations, may change their results, or does neither. */
export type Impact = "breaking" | "dangerous" | "safe";

export interface SchemaChange {
  impact: Impact;
  /** The name that the library gives its kind, in kebab case: `field-removed`. */
  rule: string;
  message: string;
  /** The schema coordinate of what has changed, such as `User.name`; "" if it has none. */
  coordinate: string;
  /** Whether that is in the old schema; otherwise it is in the new one. */
  isOld: boolean;
  /** The positions, in UTF-16 code units, in each schema; those of the type where one does not have it, and 0 without a type. */
  oldIndex: number;
  newIndex: number;
}

/** Compares two schemas, given as documents that are valid. Changes are in the order of the old schema, then of the new one. */
export function findChanges(graphql: Graphql, old: DocumentNode, now: DocumentNode): SchemaChange[] {
  const all = graphql.findSchemaChanges(graphql.buildASTSchema(old), graphql.buildASTSchema(now));
  // The library takes the first use of such a scalar for a new type; every schema has them.
  const found = all.filter(
    ({ description }) => !/^(?:Boolean|Float|ID|Int|String) was added\.$/.test(description),
  );
  const [places, newPlaces] = [findCoordinates(graphql, old), findCoordinates(graphql, now)];
  const changes = found.map(({ type, description }): SchemaChange => {
    const isOld = !/ (?:was added|added to interfaces|was added to)\b/.test(description);
    const known = isOld ? places : newPlaces;
    // The union or the type behind the name says where a member was added or removed.
    const wanted = / (?:union type|implemented by) (\w+)\.$/.exec(description)?.[1];
    const coordinate =
      wanted ??
      [description.replace(opening, ""), description]
        .map((text) => findName(text, known))
        .find((name) => name !== undefined) ??
      "";
    return {
      impact: impactOf(graphql, type),
      rule: type.toLowerCase().replaceAll("_", "-"),
      message: description.length > 300 ? `${description.slice(0, 300)}…` : description,
      coordinate,
      isOld,
      oldIndex: findPlace(places, coordinate),
      newIndex: findPlace(newPlaces, coordinate),
    };
  });
  return changes.toSorted((a, b) => Number(b.isOld) - Number(a.isOld) || indexOf(a) - indexOf(b));
}

const indexOf = ({ isOld, oldIndex, newIndex }: SchemaChange): number => (isOld ? oldIndex : newIndex);

/** The place of a coordinate, or of the field or the type that it belongs to. */
const findPlace = (places: ReadonlyMap<string, number>, coordinate: string): number =>
  places.get(coordinate) ??
  places.get(coordinate.replace(/\(.*$/, "")) ??
  places.get(coordinate.replace(/[.(].*$/, "")) ??
  0;

/** The words before the name in a description. A type may have such a word as its name. */
const opening =
  /^(?:A required (?:field|argument)|An optional (?:field|argument)|Field|Argument|Directive|Enum value|Description of(?: input-field| enum value| field)?|Standard scalar|Repeatable flag was (?:removed from|added to)|[A-Z_]+ was (?:removed from|added to)) /;

const findName = (text: string, known: ReadonlyMap<string, number>): string | undefined =>
  text.match(/@?[A-Za-z_]\w*(?:\.\w+)?(?:\(\w+:\))?/g)?.find((name) => known.has(name));

function impactOf(graphql: Graphql, type: string): Impact {
  if (Object.hasOwn(graphql.BreakingChangeType, type)) return "breaking";
  return Object.hasOwn(graphql.DangerousChangeType, type) ? "dangerous" : "safe";
}

/** Finds where types, fields, arguments, values and directives are, by their schema coordinates. */
function findCoordinates(graphql: Graphql, document: DocumentNode): Map<string, number> {
  const places = new Map<string, number>();
  const add = (name: string, node: { loc?: { start: number } | undefined }): void => {
    if (!places.has(name)) places.set(name, node.loc?.start ?? 0);
  };
  for (const definition of document.definitions) {
    if (graphql.isTypeDefinitionNode(definition) || graphql.isTypeExtensionNode(definition)) {
      const type = definition.name.value;
      add(type, definition.name);
      for (const field of "fields" in definition ? (definition.fields ?? []) : []) {
        add(`${type}.${field.name.value}`, field.name);
        for (const one of "arguments" in field ? (field.arguments ?? []) : [])
          add(`${type}.${field.name.value}(${one.name.value}:)`, one.name);
      }
      for (const value of "values" in definition ? (definition.values ?? []) : [])
        add(`${type}.${value.name.value}`, value.name);
    } else if (definition.kind === "DirectiveDefinition") {
      add(`@${definition.name.value}`, definition.name);
      for (const one of definition.arguments ?? [])
        add(`@${definition.name.value}(${one.name.value}:)`, one.name);
    }
  }
  return places;
}
