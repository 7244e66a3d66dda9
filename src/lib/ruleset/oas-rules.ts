/* eslint-disable unicorn/no-thenable -- a member of the rules of Spectral */
/** One rule: name, severity, whether it is on by default, formats, paths, and what is applied there. */
type Row = [
  name: string,
  severity: "error" | "warn",
  recommended: boolean,
  formats: string,
  given: string | string[],
  then: object | object[],
  more?: { resolved?: false },
];

const all = "oas2 oas3";
const truthy = (field: string): object => ({ field, function: "truthy" });
const notMatch = (pattern: string, field?: string): object => ({
  ...(field !== undefined && { field }),
  function: "pattern",
  functionOptions: { notMatch: pattern },
});
const filled = (field: string): object => ({
  field,
  function: "schema",
  functionOptions: { schema: { type: "array", minItems: 1 } },
});
const methods = "'get','put','post','delete','options','head','patch','trace'";
const operations = `$.paths[*][${methods}]`;
const unused = (location: string): object => ({
  function: "unreferencedReusableObject",
  functionOptions: { reusableObjectsLocation: `#${location}` },
});

/** The rules of `spectral:oas` that are applied here; `renamed` has those that the validator itself checks. */
const rows: Row[] = [
  [
    "contact-properties",
    "warn",
    false,
    all,
    "$.info.contact",
    [truthy("name"), truthy("url"), truthy("email")],
  ],
  [
    "duplicated-entry-in-enum",
    "warn",
    true,
    all,
    "$..[?@.enum]",
    { field: "enum", function: "schema", functionOptions: { schema: { uniqueItems: true } } },
  ],
  ["info-contact", "warn", true, all, "$", truthy("info.contact")],
  ["info-description", "warn", true, all, "$", truthy("info.description")],
  ["info-license", "warn", false, all, "$", truthy("info.license")],
  ["license-url", "warn", false, all, "$", truthy("info.license.url")],
  [
    "no-$ref-siblings",
    "error",
    true,
    "oas2 oas3.0",
    "$..[?@['$ref']]",
    { function: "oasRefSiblings" },
    { resolved: false },
  ],
  [
    "no-eval-in-markdown",
    "warn",
    true,
    all,
    "$..['description','title']",
    notMatch("eval\\("),
    { resolved: false },
  ],
  [
    "no-script-tags-in-markdown",
    "warn",
    true,
    all,
    "$..['description','title']",
    notMatch("<script"),
    { resolved: false },
  ],
  ["openapi-tags", "warn", false, all, "$", filled("tags")],
  [
    "openapi-tags-alphabetical",
    "warn",
    false,
    all,
    "$",
    { field: "tags", function: "alphabetical", functionOptions: { keyedBy: "name" } },
  ],
  ["operation-description", "warn", true, all, operations, truthy("description")],
  ["operation-operationId", "warn", true, all, operations, truthy("operationId")],
  [
    "operation-operationId-valid-in-url",
    "warn",
    true,
    all,
    operations,
    {
      field: "operationId",
      function: "pattern",
      functionOptions: { match: "^[A-Za-z0-9\\-._~:/?#\\[\\]@!$&'()*+,;=]*$" },
    },
  ],
  [
    "operation-singular-tag",
    "warn",
    false,
    all,
    operations,
    { field: "tags", function: "length", functionOptions: { max: 1 } },
  ],
  [
    "operation-success-response",
    "warn",
    true,
    all,
    operations,
    { field: "responses", function: "oasSuccessResponse" },
  ],
  ["operation-tags", "warn", true, all, operations, filled("tags")],
  ["operation-tag-defined", "warn", true, all, operations, { function: "oasTagDefined" }],
  [
    "path-declarations-must-exist",
    "warn",
    true,
    all,
    "$.paths",
    { field: "@key", function: "pattern", functionOptions: { notMatch: "\\{\\}" } },
  ],
  [
    "path-keys-no-trailing-slash",
    "warn",
    true,
    all,
    "$.paths",
    { field: "@key", function: "pattern", functionOptions: { notMatch: ".+/$" } },
  ],
  [
    "path-not-include-query",
    "warn",
    true,
    all,
    "$.paths",
    { field: "@key", function: "pattern", functionOptions: { notMatch: "\\?" } },
  ],
  ["tag-description", "warn", false, all, "$.tags[*]", truthy("description")],
  ["typed-enum", "warn", true, all, "$..[?@.enum && @.type]", { function: "typedEnum" }],
  ["array-items", "error", true, all, "$..[?@.type == 'array']", truthy("items")],
  ["oas2-anyOf", "warn", true, "oas2", "$..anyOf", { function: "undefined" }],
  ["oas2-oneOf", "warn", true, "oas2", "$..oneOf", { function: "undefined" }],
  ["oas2-api-host", "warn", true, "oas2", "$", truthy("host")],
  ["oas2-api-schemes", "warn", true, "oas2", "$", filled("schemes")],
  [
    "oas2-discriminator",
    "error",
    true,
    "oas2",
    "$.definitions[?@.discriminator]",
    { function: "oasDiscriminator" },
  ],
  ["oas2-host-not-example", "warn", false, "oas2", "$", notMatch("example\\.com", "host")],
  ["oas2-host-trailing-slash", "warn", true, "oas2", "$", notMatch("/$", "host")],
  [
    "oas2-operation-formData-consume-check",
    "warn",
    true,
    "oas2",
    operations,
    { function: "oasFormDataConsumes" },
  ],
  ["oas2-parameter-description", "warn", false, "oas2", "$..parameters[?@.in]", truthy("description")],
  [
    "oas2-unused-definition",
    "warn",
    true,
    "oas2",
    "$.definitions",
    unused("/definitions"),
    { resolved: false },
  ],
  ["oas3-api-servers", "warn", true, "oas3", "$", filled("servers")],
  [
    "oas3-examples-value-or-externalValue",
    "warn",
    true,
    "oas3",
    [
      "$.components.examples[*]",
      "$.paths[*][*]..content[*].examples[*]",
      "$.paths[*][*]..parameters[*].examples[*]",
      "$.components.parameters[*].examples[*]",
      "$.paths[*][*]..headers[*].examples[*]",
      "$.components.headers[*].examples[*]",
    ],
    { function: "xor", functionOptions: { properties: ["externalValue", "value"] } },
  ],
  ["oas3-parameter-description", "warn", false, "oas3", "$..parameters[?@.in]", truthy("description")],
  ["oas3-server-not-example.com", "warn", false, "oas3", "$.servers[*].url", notMatch("example\\.com")],
  ["oas3-server-trailing-slash", "warn", true, "oas3", "$.servers[*].url", notMatch("./$")],
  [
    "oas3-server-variables",
    "error",
    true,
    "oas3",
    ["$.servers[*]", "$.paths[*].servers[*]", `${operations}.servers[*]`],
    { function: "oasServerVariables" },
  ],
  [
    "oas3-callbacks-in-callbacks",
    "warn",
    true,
    "oas3",
    "$.paths[*][*].callbacks[*][*][*].callbacks",
    { function: "undefined" },
  ],
  [
    "oas3_1-servers-in-webhook",
    "warn",
    true,
    "oas3.1 oas3.2",
    ["$.webhooks.servers", "$.webhooks[*].servers", "$.webhooks[*][*].servers"],
    { function: "undefined" },
  ],
  [
    "oas3_1-callbacks-in-webhook",
    "warn",
    true,
    "oas3.1 oas3.2",
    "$.webhooks[*][*].callbacks",
    { function: "undefined" },
  ],
  ["oas3_2-no-deprecated-xml-attribute", "warn", true, "oas3.2", "$..xml.attribute", { function: "falsy" }],
  [
    "oas3-unused-component",
    "warn",
    true,
    "oas3",
    "$.components",
    { function: "oasUnusedComponents" },
    { resolved: false },
  ],
];

/** Rules that the validator checks whatever a ruleset says: they have no path here, only a severity. */
const ofValidator: [name: string, severity: "error" | "warn", formats: string][] = [
  ["openapi-tags-uniqueness", "error", all],
  ["operation-operationId-unique", "error", all],
  ["operation-parameters", "warn", all],
  ["path-params", "error", all],
  ["oas2-operation-security-defined", "warn", "oas2"],
  ["oas3-operation-security-defined", "warn", "oas3"],
  ["oas2-schema", "error", "oas2"],
  ["oas3-schema", "error", "oas3"],
  ["oas2-valid-media-example", "error", "oas2"],
  ["oas3-valid-media-example", "error", "oas3"],
  ["oas2-valid-schema-example", "error", "oas2"],
  ["oas3-valid-schema-example", "error", "oas3"],
];

/** The ruleset as JSON, which is read like that of a caller. */
export const oasRuleset = (): string =>
  JSON.stringify({
    rules: Object.fromEntries([
      ...rows.map(([name, severity, recommended, formats, given, then, more]) => [
        name,
        { severity, recommended, formats: formats.split(" "), given, then, message: "{{error}}", ...more },
      ]),
      ...ofValidator.map(([name, severity, formats]) => [
        name,
        { severity, formats: formats.split(" "), given: [], then: [], message: "{{error}}" },
      ]),
    ]),
  });

/** Names of rules of the validator in `spectral:oas`, by version. */
export function toSpectralRule(rule: string, pointer: string, isOld: boolean): string {
  const prefix = isOld ? "oas2" : "oas3";
  const names: Readonly<Record<string, string>> = {
    "tag-unique": "openapi-tags-uniqueness",
    "operation-id-unique": "operation-operationId-unique",
    "parameter-unique": "operation-parameters",
    "body-parameter": "operation-parameters",
    "path-parameter": "path-params",
    "path-unique": "path-params",
    "security-defined": `${prefix}-operation-security-defined`,
    "server-variable": "oas3-server-variables",
  };
  if (rule === "example-schema")
    return `${prefix}-valid-${/\/(?:schemas?|definitions|properties|items)\//.test(pointer) ? "schema" : "media"}-example`;
  return names[rule] ?? `${prefix}-schema`;
}
