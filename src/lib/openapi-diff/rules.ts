/** The effect of a change on clients: it breaks them, may break some of them, or does neither. */
export type Impact = "breaking" | "dangerous" | "safe";

export interface Rule {
  impact: Impact;
  /** The ids that oasdiff has for the same change. */
  aliases: readonly string[];
}

/** Where a value travels: to the server, or to the client. */
export type Direction = "request" | "response";

/** Returns the words of each combination: `a-{b,c}-d` is `a-b-d` and `a-c-d`. */
function expand(pattern: string): string[] {
  const [, before, choices, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  if (before === undefined || choices === undefined || after === undefined) return [pattern];
  return choices.split(",").flatMap((choice) => expand(before + choice + after));
}

/** Rules about everything but schemas: id, impact and the ids of oasdiff. */
const others: readonly (readonly [string, Impact, ...string[]])[] = [
  ["path-removed", "breaking", "api-path-removed-without-deprecation", "api-path-sunset-parse"],
  ["path-removed-before-sunset", "breaking", "api-path-removed-before-sunset"],
  ["deprecated-path-removed", "safe", "api-path-removed-with-deprecation"],
  ["operation-removed", "breaking", "api-removed-without-deprecation"],
  ["operation-removed-before-sunset", "breaking", "api-removed-before-sunset"],
  ["deprecated-operation-removed", "safe", "api-removed-with-deprecation"],
  ["operation-added", "safe", "endpoint-added"],
  ["operation-deprecated", "safe", "endpoint-deprecated{,-with-sunset}"],
  ["operation-reactivated", "safe", "endpoint-reactivated"],
  ["operation-id-changed", "dangerous", "api-operation-id-removed"],
  ["operation-id-added", "safe", "api-operation-id-added"],
  ["tag-removed", "safe", "api-tag-removed"],
  ["tag-added", "safe", "api-tag-added"],
  ["sunset-removed", "breaking", "{,request-parameter-}sunset-deleted"],
  [
    "sunset-earlier",
    "breaking",
    "api-sunset-date-changed-too-small",
    "request-parameter-sunset-date-changed-too-small",
  ],
  [
    "sunset-invalid",
    "breaking",
    "api-deprecated-sunset-parse",
    "request-parameter-sunset-parse",
    "{request,response}-property-deprecated-sunset-invalid",
  ],
  [
    "required-parameter-added",
    "breaking",
    "new-required-request-parameter",
    "new-request-path-parameter",
    "new-required-request-default-parameter-to-existing-path",
  ],
  ["optional-parameter-added", "safe", "new-optional-request-{parameter,default-parameter-to-existing-path}"],
  ["parameter-removed", "dangerous", "request-parameter-removed"],
  ["parameter-removed-before-sunset", "breaking", "request-parameter-removed-before-sunset"],
  ["deprecated-parameter-removed", "safe", "request-parameter-removed-with-deprecation"],
  ["parameter-became-required", "breaking", "request-parameter-became-required"],
  ["parameter-became-optional", "safe", "request-parameter-became-optional"],
  ["parameter-style-changed", "breaking"],
  ["parameter-deprecated", "safe", "request-parameter-deprecated"],
  ["parameter-reactivated", "safe", "request-parameter-reactivated"],
  ["required-request-body-added", "breaking", "request-body-added-required"],
  ["optional-request-body-added", "safe", "request-body-added-optional"],
  ["request-body-removed", "breaking", "request-body-removed"],
  ["request-body-became-required", "breaking", "request-body-became-required"],
  ["request-body-became-optional", "safe", "request-body-became-optional"],
  ["request-media-type-removed", "breaking", "request-body-media-type-removed"],
  ["request-media-type-added", "safe", "request-body-media-type-added"],
  ["response-media-type-removed", "breaking", "response-media-type-{removed,name-changed,name-generalized}"],
  ["response-media-type-added", "safe", "response-media-type-{added,name-specialized}"],
  ["success-response-removed", "breaking", "response-success-status-removed"],
  ["success-response-added", "safe", "response-success-status-added"],
  ["error-response-removed", "safe", "response-non-success-status-removed"],
  ["error-response-added", "safe", "response-non-success-status-added"],
  ["required-response-header-removed", "breaking", "required-response-header-removed"],
  ["optional-response-header-removed", "dangerous", "optional-response-header-removed"],
  ["response-header-became-optional", "breaking", "response-header-became-optional"],
  ["response-header-added", "safe", "response-header-added"],
  ["security-added", "breaking"],
  ["security-removed", "safe"],
  ["security-alternative-removed", "breaking", "api-{,global-}security-removed"],
  ["security-alternative-added", "safe", "api-{,global-}security-added"],
  ["security-scope-added", "breaking", "api-{,global-}security-scope-added"],
  ["security-scope-removed", "safe", "api-{,global-}security-scope-removed"],
  ["security-scheme-changed", "breaking", "api-security-component-type-changed"],
  ["security-scheme-removed", "safe", "api-security-component-removed"],
  ["security-scheme-added", "safe", "api-security-component-added"],
  ["security-scheme-url-changed", "dangerous", "api-security-component-oauth{,-token}-url-changed"],
  ["security-scheme-scope-removed", "dangerous", "api-security-component-oauth-scope-removed"],
  ["security-scheme-scope-added", "safe", "api-security-component-oauth-scope-added"],
  ["server-removed", "dangerous"],
  ["server-added", "safe"],
  ["webhook-removed", "breaking"],
  ["webhook-added", "safe"],
  ["callback-removed", "breaking"],
  ["callback-added", "safe"],
  ["component-removed", "safe", "api-schema-removed"],
  [
    "required-request-property-added",
    "breaking",
    "new-required-request-{property,header-property,property-with-default}",
  ],
  ["optional-request-property-added", "safe", "new-optional-request-property"],
  ["request-property-removed", "dangerous", "request-property-removed"],
  [
    "request-property-became-required",
    "breaking",
    "request-{property,header-property}-became-required",
    "request-property-became-required-with-default",
  ],
  ["request-property-became-optional", "safe", "request-property-became-optional"],
  ["request-property-became-read-only", "dangerous", "request-{required,optional}-property-became-read-only"],
  ["required-response-property-removed", "breaking", "response-required-property-removed"],
  ["optional-response-property-removed", "dangerous", "response-optional-property-removed"],
  ["response-property-became-optional", "breaking", "response-property-became-optional"],
  ["response-property-became-required", "safe", "response-property-became-required"],
  ["response-property-added", "safe", "response-{required,optional}-property-added"],
  [
    "response-property-became-write-only",
    "breaking",
    "response-{required,optional}-property-became-write-only",
  ],
  ["deprecated-property-removed", "safe"],
  ["property-deprecated", "safe", "{request,response}-property-deprecated{,-with-sunset}"],
  ["property-reactivated", "safe", "{request,response}-property-reactivated"],
  [
    "request-default-changed",
    "dangerous",
    "request-{parameter,property,body}-default-value-{added,changed,removed}",
  ],
  [
    "request-extensible-enum-narrowed",
    "breaking",
    "request-{parameter,property}-x-extensible-enum-value-removed",
  ],
  ["request-pattern-changed", "dangerous", "request-{parameter,property}-pattern-changed"],
  ["response-pattern-changed", "dangerous", "response-property-pattern-changed"],
  ["request-condition-changed", "dangerous"],
  ["response-condition-changed", "dangerous"],
  [
    "request-discriminator-changed",
    "breaking",
    "request-{body,property}-discriminator-{property-name,mapping}-changed",
  ],
  [
    "response-discriminator-changed",
    "breaking",
    "response-{body,property}-discriminator-{property-name,mapping}-changed",
  ],
  ["discriminator-added", "dangerous", "{request,response}-{body,property}-discriminator-added"],
  ["discriminator-removed", "dangerous", "{request,response}-{body,property}-discriminator-removed"],
];

/** The limits of a schema, with the words of oasdiff for a change that lets fewer values pass, and for one that lets more pass. */
const subjects = {
  type: ["type-{changed,specialized}", "type-{changed,generalized}"],
  format: ["type-{changed,specialized}", "type-{changed,generalized}"],
  null: ["became-not-nullable", "became-nullable"],
  enum: ["{became-enum,enum-value-removed}", "enum-value-added"],
  minimum: ["{,exclusive-}min-{increased,set}", "{,exclusive-}min-{decreased,unset}"],
  maximum: ["{,exclusive-}max-{decreased,set}", "{,exclusive-}max-{increased,unset}"],
  "min-length": ["min-length-{increased,set}", "min-length-{decreased,unset}"],
  "max-length": ["max-length-{decreased,set}", "max-length-{increased,unset}"],
  "min-items": ["min-items-{increased,set}", "min-items-{decreased,unset}"],
  "max-items": ["max-items-{decreased,set}", "max-items-{increased,unset}"],
  "min-properties": ["min-properties-{increased,set}", "min-properties-{decreased,unset}"],
  "max-properties": ["max-properties-{decreased,set}", "max-properties-{increased,unset}"],
  "multiple-of": ["multiple-of-{changed,set}", "multiple-of-{changed,unset}"],
  "unique-items": ["unique-items-set", "unique-items-unset"],
  pattern: ["pattern-added", "pattern-{removed,generalized}"],
  "additional-properties": ["additional-properties-removed", "additional-properties-added"],
  alternatives: ["{one,any}-of-removed", "{one-of-added,any-of-added,wrapped-in-one-of-original-preserved}"],
  discriminator: ["discriminator-mapping-deleted", "discriminator-mapping-added"],
} satisfies Record<string, [string, string]>;

export type Subject = keyof typeof subjects;

/** Changes of these that let more values into a response: clients that ignore what they do not know go on. */
const tolerated: ReadonlySet<string> = new Set([
  "response-additional-properties-widened",
  "response-discriminator-widened",
]);

function* toRules(): Generator<[string, Rule]> {
  for (const [id, impact, ...aliases] of others) yield [id, { impact, aliases: aliases.flatMap(expand) }];
  for (const [subject, words] of Object.entries(subjects)) {
    for (const [direction, holders] of [
      ["request", "{body,property,parameter,parameter-property,header-property}"],
      ["response", "{body,property,header}"],
    ] as const) {
      for (const [at, effect] of ["narrowed", "widened"].entries()) {
        const id = `${direction}-${subject}-${effect}`;
        const breaks = (direction === "request") === (effect === "narrowed");
        const impact = tolerated.has(id) ? "dangerous" : breaks ? "breaking" : "safe";
        yield [id, { impact, aliases: expand(`${direction}-${holders}-${words[at]}`) }];
      }
    }
  }
}

/** The rules, by their ids. */
export const rules: ReadonlyMap<string, Rule> = new Map(toRules());
