import { lazy } from "../lazy.ts";
import { valuesOf } from "./enumerations.ts";
import { isIn, type Release } from "./releases.ts";

/**
 * The types of the API, in the notation that config/kubernetes-types.ts writes. A line is the name of a type and its fields:
 * `name!:type@from-to`, where `!` marks a required field, and `from` and `to` are the first and the last minor release that
 * have it. A type is `string`, `boolean`, `int32`, `int64`, `number`, `quantity`, `int-or-string`, `time`, `byte`, `any`, the
 * name of a type, `[type]` for a list, or `{type}` for a map.
 */
export interface Types {
  /** Returns the fields of a type, by name. */
  fieldsOf(type: string): ReadonlyMap<string, Field>;
  /** Returns what the API calls `group/version Kind`. */
  kind(name: string): ApiKind | undefined;
  /** Every kind of the release, as `group/version Kind`. */
  kinds(): Iterable<string>;
}

export interface Field {
  required: boolean;
  shape: Shape;
  /** The values that it may have, or its items; undefined if they are not in the table of enumerations. */
  values: readonly string[] | undefined;
}

export type Shape = { list: Shape } | { map: Shape } | { type: string };

export interface ApiKind {
  type: string;
  namespaced: boolean;
}

/** Returns the types of a minor release. Those of a type are parsed when it is first asked for. */
export async function typesOf(release: Release): Promise<Types> {
  let types = known.get(release);
  if (types === undefined) known.set(release, (types = createTypes(release, await tables())));
  return types;
}

const known = new Map<Release, Types>();

interface Tables {
  kinds: readonly string[];
  /** The line of each type. */
  types: ReadonlyMap<string, string>;
}

const tables = lazy(async (): Promise<Tables> => {
  const kinds = await import("./data/kinds.ts");
  const parts = await Promise.all([
    import("./data/types-1.ts"),
    import("./data/types-2.ts"),
    import("./data/types-3.ts"),
  ]);
  const all = parts.flatMap((part) => part.text.split("\n"));
  return {
    kinds: kinds.text.split("\n"),
    types: new Map(all.map((line) => [line.slice(0, line.indexOf(" ")), line])),
  };
});

function createTypes(release: Release, { kinds: kindLines, types: text }: Tables): Types {
  const parsed = new Map<string, ReadonlyMap<string, Field>>();
  const kinds = new Map<string, ApiKind>();
  for (const line of kindLines) {
    const [version, kind, type = "", ...rest] = line.split(" ");
    if (rest.every((word) => !word.startsWith("@") || isIn(word.slice(1), release)))
      kinds.set(`${version} ${kind}`, { type, namespaced: !rest.includes("cluster") });
  }
  return {
    fieldsOf(type) {
      let fields = parsed.get(type);
      if (fields === undefined) parsed.set(type, (fields = parseFields(text.get(type) ?? "", release)));
      return fields;
    },
    kind: (name) => kinds.get(name),
    kinds: () => kinds.keys(),
  };
}

function parseFields(line: string, release: Release): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  const plain = plainName(line.slice(0, line.indexOf(" ")));
  for (const word of line.split(" ").slice(1)) {
    const [, name = "", mark, type = "", span] = /^(.+?)(!)?:([^@]+)(?:@(.+))?$/.exec(word) ?? [];
    if (span === undefined || isIn(span, release))
      fields.set(name, {
        required: mark !== undefined,
        shape: toShape(type),
        values: valuesOf(plain, name, release),
      });
  }
  return fields;
}

function toShape(type: string): Shape {
  if (type.startsWith("[")) return { list: toShape(type.slice(1, -1)) };
  if (type.startsWith("{")) return { map: toShape(type.slice(1, -1)) };
  return { type };
}

/** Returns a type as messages and tables name it: without its version, and without the group before that. */
export const plainName = (type: string): string =>
  type.replace(/^(?:[A-Z][a-z]+)?V\d+(?:(?:alpha|beta)\d+)?(?=[A-Z])/, "");
