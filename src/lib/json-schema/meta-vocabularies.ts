type Schema = Record<string, unknown>;

const text = { type: "string" };
const flag = { type: "boolean" };
const number = { type: "number" };
const define = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const types = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** Returns the meta-schemas of draft 2019-09: one per vocabulary, and one that combines them. */
export function draft2019MetaSchemas(): Schema[] {
  const self = { $recursiveRef: "#" };
  const parts: Record<string, Schema> = {
    core: {
      properties: {
        $id: { ...text, format: "uri-reference", pattern: "^[^#]*#?$" },
        $schema: { ...text, format: "uri" },
        $anchor: { ...text, pattern: "^[A-Za-z][-A-Za-z0-9.:_]*$" },
        $ref: { ...text, format: "uri-reference" },
        $recursiveRef: { ...text, format: "uri-reference" },
        $recursiveAnchor: { ...flag, default: false },
        ...coreOf(self, {
          type: "object",
          propertyNames: { ...text, format: "uri" },
          additionalProperties: flag,
        }),
      },
    },
    applicator: {
      properties: {
        additionalItems: self,
        unevaluatedItems: self,
        items: { anyOf: [self, define("schemaArray")] },
        unevaluatedProperties: self,
        ...applicatorsOf(self),
      },
      $defs: { schemaArray: { type: "array", minItems: 1, items: self } },
    },
    validation: validation(),
    "meta-data": metaData(),
    format: { properties: { format: text } },
    content: content(self),
  };
  return toDialect("2019-09", parts, { $recursiveAnchor: true }, { format: false }, self);
}

/** Returns the meta-schemas of draft 2020-12. */
export function draft2020MetaSchemas(): Schema[] {
  const self = { $dynamicRef: "#meta" };
  const uri = define("uriString");
  const reference = define("uriReferenceString");
  const anchor = define("anchorString");
  const parts: Record<string, Schema> = {
    core: {
      properties: {
        $id: { ...reference, pattern: "^[^#]*#?$" },
        $schema: uri,
        $ref: reference,
        $anchor: anchor,
        $dynamicRef: reference,
        $dynamicAnchor: anchor,
        ...coreOf(self, { type: "object", propertyNames: uri, additionalProperties: flag }),
      },
      $defs: {
        anchorString: { ...text, pattern: "^[A-Za-z_][-A-Za-z0-9._]*$" },
        uriString: { ...text, format: "uri" },
        uriReferenceString: { ...text, format: "uri-reference" },
      },
    },
    applicator: {
      properties: { prefixItems: define("schemaArray"), items: self, ...applicatorsOf(self) },
      $defs: { schemaArray: { type: "array", minItems: 1, items: self } },
    },
    unevaluated: { properties: { unevaluatedItems: self, unevaluatedProperties: self } },
    validation: validation(),
    "meta-data": metaData(),
    "format-annotation": { properties: { format: text } },
    content: content(self),
  };
  const dialect = toDialect("2020-12", parts, { $dynamicAnchor: "meta" }, {}, self);
  // Schemas may refer to this vocabulary, although the dialect does not include it.
  const [assertion] = toDialect(
    "2020-12",
    { "format-assertion": { properties: { format: text } } },
    { $dynamicAnchor: "meta" },
    {},
    self,
  ).slice(1);
  return [...dialect, assertion as Schema];
}

function toDialect(
  draft: string,
  parts: Record<string, Schema>,
  anchor: Schema,
  optional: Record<string, boolean>,
  self: Schema,
): Schema[] {
  const base = `https://json-schema.org/draft/${draft}`;
  const names = Object.keys(parts);
  const head = (id: string, vocabularies: readonly string[]): Schema => ({
    $schema: `${base}/schema`,
    $id: `${base}/${id}`,
    $vocabulary: Object.fromEntries(
      vocabularies.map((name) => [`${base}/vocab/${name}`, optional[name] ?? true]),
    ),
    ...anchor,
    type: ["object", "boolean"],
  });
  const whole = {
    ...head("schema", names),
    allOf: names.map((name) => ({ $ref: `meta/${name}` })),
    properties: {
      definitions: { type: "object", additionalProperties: self, default: {} },
      dependencies: {
        type: "object",
        additionalProperties: { anyOf: [self, { $ref: "meta/validation#/$defs/stringArray" }] },
      },
    },
  };
  return [whole, ...names.map((name) => ({ ...head(`meta/${name}`, [name]), ...parts[name] }))];
}

const coreOf = (self: Schema, vocabulary: Schema): Schema => ({
  $vocabulary: vocabulary,
  $comment: text,
  $defs: { type: "object", additionalProperties: self, default: {} },
});

const applicatorsOf = (self: Schema): Schema => ({
  contains: self,
  additionalProperties: self,
  properties: { type: "object", additionalProperties: self, default: {} },
  patternProperties: {
    type: "object",
    additionalProperties: self,
    propertyNames: { format: "regex" },
    default: {},
  },
  dependentSchemas: { type: "object", additionalProperties: self },
  propertyNames: self,
  if: self,
  // oxlint-disable-next-line unicorn/no-thenable
  then: self,
  else: self,
  allOf: define("schemaArray"),
  anyOf: define("schemaArray"),
  oneOf: define("schemaArray"),
  not: self,
});

function validation(): Schema {
  const lengths = ["Length", "Items", "Properties", "Contains"].flatMap((what) => [
    [`max${what}`, define("nonNegativeInteger")],
    [
      `min${what}`,
      what === "Contains"
        ? { ...define("nonNegativeInteger"), default: 1 }
        : define("nonNegativeIntegerDefault0"),
    ],
  ]);
  return {
    properties: {
      multipleOf: { ...number, exclusiveMinimum: 0 },
      maximum: number,
      exclusiveMaximum: number,
      minimum: number,
      exclusiveMinimum: number,
      ...Object.fromEntries(lengths),
      pattern: { ...text, format: "regex" },
      uniqueItems: { ...flag, default: false },
      required: define("stringArray"),
      dependentRequired: { type: "object", additionalProperties: define("stringArray") },
      const: true,
      enum: { type: "array", items: true },
      type: {
        anyOf: [
          define("simpleTypes"),
          { type: "array", items: define("simpleTypes"), minItems: 1, uniqueItems: true },
        ],
      },
    },
    $defs: {
      nonNegativeInteger: { type: "integer", minimum: 0 },
      nonNegativeIntegerDefault0: { ...define("nonNegativeInteger"), default: 0 },
      simpleTypes: { enum: types },
      stringArray: { type: "array", items: text, uniqueItems: true, default: [] },
    },
  };
}

const metaData = (): Schema => ({
  properties: {
    title: text,
    description: text,
    default: true,
    deprecated: { ...flag, default: false },
    readOnly: { ...flag, default: false },
    writeOnly: { ...flag, default: false },
    examples: { type: "array", items: true },
  },
});

const content = (self: Schema): Schema => ({
  properties: { contentEncoding: text, contentMediaType: text, contentSchema: self },
});
