export type Draft = "2020-12" | "2019-09" | "7" | "6" | "4";

/** The rules by which schemas of a draft are interpreted. */
export interface Dialect {
  draft: Draft;
  /** The keyword that gives a schema its URI. */
  id: "$id" | "id";
  /** Whether keywords beside `$ref` are ignored: up to draft 7. */
  refAlone: boolean;
  /** Whether `$id: "#name"` defines an anchor: up to draft 7. */
  anchorsInId: boolean;
  /** Whether `$dynamicAnchor` and `$dynamicRef` exist. */
  dynamic: boolean;
  /** The keywords that are evaluated; all others are ignored. */
  keywords: ReadonlySet<string>;
  /** Returns this dialect with only the keywords of these vocabularies (2019-09 and later). */
  withVocabularies(uris: readonly string[]): Dialect;
}

const words = (text: string): string[] => text.split(" ");

const common = words(
  "$ref type enum multipleOf maximum minimum maxLength minLength pattern items additionalItems maxItems minItems uniqueItems maxProperties minProperties required properties patternProperties additionalProperties dependencies allOf anyOf oneOf not format",
);
const since6 = words("const contains propertyNames exclusiveMaximum exclusiveMinimum");

/**
 * Keywords of each vocabulary. The later drafts dropped `dependencies`, but their meta-schemas still allow
 * it.
 */
const vocabularies: Record<string, string[]> = {
  core: words("$ref $dynamicRef $recursiveRef"),
  applicator: words(
    "prefixItems items additionalItems contains properties patternProperties additionalProperties propertyNames dependentSchemas dependencies if allOf anyOf oneOf not",
  ),
  unevaluated: words("unevaluatedItems unevaluatedProperties"),
  validation: words(
    "type enum const multipleOf maximum minimum exclusiveMaximum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties minProperties required dependentRequired",
  ),
  format: ["format"],
  "format-annotation": ["format"],
  "format-assertion": ["format"],
};

const without: Partial<Record<Draft, string[]>> = {
  "2020-12": words("additionalItems $recursiveRef"),
  "2019-09": words("prefixItems $dynamicRef"),
};

function old(draft: Draft, keywords: string[], id: Dialect["id"] = "$id"): Dialect {
  const dialect: Dialect = {
    draft,
    id,
    refAlone: true,
    anchorsInId: true,
    dynamic: false,
    keywords: new Set(keywords),
    withVocabularies: () => dialect,
  };
  return dialect;
}

function modern(draft: Draft, names: readonly string[]): Dialect {
  const keywords = new Set(names.flatMap((name) => vocabularies[name] ?? []));
  for (const keyword of without[draft] ?? []) keywords.delete(keyword);
  return {
    draft,
    id: "$id",
    refAlone: false,
    anchorsInId: false,
    dynamic: draft === "2020-12",
    keywords,
    withVocabularies(uris) {
      const parts = uris.map((uri) => uri.slice(uri.lastIndexOf("/") + 1));
      // In 2019-09 the applicator vocabulary includes the two `unevaluated` keywords.
      if (draft === "2019-09" && parts.includes("applicator")) parts.push("unevaluated");
      return modern(draft, ["core", ...parts]);
    },
  };
}

export const dialects: Readonly<Record<Draft, Dialect>> = {
  "2020-12": modern("2020-12", Object.keys(vocabularies)),
  "2019-09": modern("2019-09", Object.keys(vocabularies)),
  "7": old("7", [...common, ...since6, "if"]),
  "6": old("6", [...common, ...since6]),
  "4": old("4", common, "id"),
};

const uris: Record<string, Draft> = {
  "https://json-schema.org/draft/2020-12/schema": "2020-12",
  "https://json-schema.org/draft/2019-09/schema": "2019-09",
  "http://json-schema.org/draft-07/schema": "7",
  "http://json-schema.org/draft-06/schema": "6",
  "http://json-schema.org/draft-04/schema": "4",
};

/** Returns the draft that a `$schema` names, if it is a known one. */
export function draftOf(uri: string): Draft | undefined {
  const name = uri.replace(/#$/, "");
  if (Object.hasOwn(uris, name)) return uris[name];
  // Schemas in the wild use either scheme.
  const other = name.startsWith("https:") ? `http:${name.slice(6)}` : name.replace(/^http:/, "https:");
  return Object.hasOwn(uris, other) ? uris[other] : undefined;
}

/** Returns the URI of a draft's meta-schema. */
export const metaSchemaOf = (draft: Draft): string =>
  Object.keys(uris).find((uri) => uris[uri] === draft) as string;
