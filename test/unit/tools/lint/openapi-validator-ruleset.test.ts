/* eslint-disable unicorn/no-thenable -- a member of the rules of Spectral */
import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import tool from "../../../../src/tools/lint/openapi-validator.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { oasCases, rulesetCases } from "./ruleset-cases.ts";

const lint = async (
  document: object | string,
  ruleset: object | string,
  more: object = {},
): Promise<Report> =>
  JSON.parse(
    await runTool(tool, {
      data: typeof document === "string" ? document : JSON.stringify(document),
      ruleset: typeof ruleset === "string" ? ruleset : JSON.stringify(ruleset),
      ...more,
    }),
  ) as Report;

/** A report has places that are there: what is missing is reported at what lacks it. */
const isAt = (pointer: string, fault: string): boolean =>
  fault === pointer || fault.startsWith(`${pointer}/`);

test("there are more than a hundred mistakes", () => {
  const faults = [...rulesetCases, ...oasCases].flatMap((one) => one.faults);
  expect(faults.length).toBeGreaterThanOrEqual(100);
});

test.each([...rulesetCases, ...oasCases])("$title", async ({ ruleset, document, faults }) => {
  const { errors } = await lint(document, ruleset);
  const found = errors.map(({ rule, pointer }) => ({ rule, pointer }));
  const wanted = faults.map((fault) => fault.split(" ") as [string, string]);
  expect(found).toHaveLength(wanted.length);
  for (const [rule, path] of wanted)
    expect(found.some((one) => one.rule === rule && isAt(one.pointer, path))).toBe(true);
});

const document = { openapi: "3.0.3", info: { title: "a", version: "1" }, paths: {} };

test("without a ruleset nothing has changed", async () => {
  expect(JSON.parse(await runTool(tool, { data: JSON.stringify(document) }))).toEqual({
    valid: true,
    errors: [],
  });
});

test("a ruleset decides alone", async () => {
  const broken = { openapi: "3.0.3", nonsense: 1 };
  expect((await lint(broken, { rules: {} })).valid).toBe(true);
  const { errors } = await lint(broken, { extends: ["spectral:oas"], rules: { "oas3-schema": "warn" } });
  expect(errors.filter(({ rule }) => rule === "oas3-schema").map(({ severity }) => severity)).toEqual(
    Array(3).fill("warning"),
  );
});

test("spectral:oas has its recommended rules, all, or none", async () => {
  const count = async (extended: unknown): Promise<number> =>
    (await lint(document, { extends: extended })).errors.length;
  const [some, all, none] = [
    await count("spectral:oas"),
    await count([["spectral:oas", "all"]]),
    await count([["spectral:oas", "off"]]),
  ];
  expect(none).toBe(0);
  expect(some).toBeGreaterThan(2);
  expect(all).toBeGreaterThan(some);
});

test("levels: error fails, warn, info and hint are warnings, off is nothing", async () => {
  const levelOf = async (severity: unknown): Promise<unknown[]> =>
    (
      await lint(document, {
        rules: { r: { given: "$", severity, then: { field: "tags", function: "truthy" } } },
      })
    ).errors.map((one) => one.severity);
  expect(await levelOf("error")).toEqual(["error"]);
  for (const level of ["warn", "info", "hint", 2]) expect(await levelOf(level)).toEqual(["warning"]);
  expect(await levelOf("off")).toEqual([]);
});

test("placeholders of a message", async () => {
  const { errors } = await lint(document, {
    rules: {
      r: {
        description: "Titles",
        message: "{{property}}|{{value}}|{{path}}|{{description}}|{{error}}|{{other}}",
        given: "$.info",
        then: { field: "title", function: "casing", functionOptions: { type: "pascal" } },
      },
    },
  });
  expect(errors[0]?.message).toBe(
    'title|a|#/info/title|Titles|"title" property must be in pascal case|{{other}}',
  );
});

test("overrides are for files, formats and places", async () => {
  const rules = {
    r: {
      given: "$..title",
      severity: "error",
      then: { function: "pattern", functionOptions: { match: "^x" } },
    },
  };
  const run = async (overrides: object[], fileName = "api/pets.yaml"): Promise<string[]> =>
    (await lint(document, { rules, overrides }, { fileName })).errors.map(({ severity }) => severity);
  expect(await run([])).toEqual(["error"]);
  expect(await run([{ files: ["api/*.yaml"], rules: { r: "off" } }])).toEqual([]);
  expect(await run([{ files: ["other/*.yaml"], rules: { r: "off" } }])).toEqual(["error"]);
  expect(await run([{ files: ["api/*.yaml"], rules: { r: "off" } }], "")).toEqual(["error"]);
  expect(await run([{ formats: ["oas3"], rules: { r: "warn" } }])).toEqual(["warning"]);
  expect(await run([{ formats: ["oas2"], rules: { r: "warn" } }])).toEqual(["error"]);
  expect(await run([{ files: ["**/*.yaml#/info"], rules: { r: "off" } }])).toEqual([]);
  expect(await run([{ files: ["**/*.yaml#/paths"], rules: { r: "off" } }])).toEqual(["error"]);
  // The last that matches decides.
  expect(
    await run([
      { files: ["api/*"], rules: { r: "off" } },
      { files: ["api/*"], rules: { r: "warn" } },
    ]),
  ).toEqual(["warning"]);
});

test("references in circles end", async () => {
  const circles = {
    components: {
      schemas: {
        A: { $ref: "#/components/schemas/B" },
        B: { $ref: "#/components/schemas/A" },
        C: { properties: { c: { $ref: "#/components/schemas/C" } }, title: "a" },
      },
    },
  };
  const { errors } = await lint(circles, {
    rules: { r: { given: "$..title", then: { function: "falsy" } } },
  });
  expect(errors.map(({ pointer }) => pointer)).toEqual(["/components/schemas/C/title"]);
});

test("names of prototypes are names", async () => {
  const odd = '{"__proto__":{"a":1},"constructor":2,"rules":{}}';
  const ruleset =
    '{"rules":{"__proto__":{"given":"$","then":{"field":"constructor","function":"falsy"}},"constructor":{"given":"$.__proto__.a","then":{"function":"falsy"}}}}';
  expect((await lint(odd, ruleset)).errors.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
    "constructor /__proto__/a",
    "__proto__ /constructor",
  ]);
  expect(
    await refusalOf(lint(odd, '{"rules":{"a":{"given":"$","then":{"function":"constructor"}}}}')),
  ).toMatchObject({ field: "ruleset" });
});

const rule = (given: string, then = "{function: truthy}"): string =>
  `rules:\n  r:\n    given: ${given}\n    then: ${then}\n`;

test.each([
  [
    rule("$", "{function: mine}"),
    { line: 4, message: /no function "mine"; functions of JavaScript are not run/ },
  ],
  [rule("$", "{function: oasTagDefined}"), { line: 4, message: /no function/ }],
  [rule("$", "{function: schemaPath}"), { line: 4, message: /no function/ }],
  ["functions: [mine]\nrules: {}\n", { line: 1, message: /functions of JavaScript are not run/ }],
  ["functionsDir: ./f\nrules: {}\n", { line: 1, message: /functions of JavaScript are not run/ }],
  ["except: {a: [b]}\nrules: {}\n", { line: 1, message: /overrides/ }],
  [
    "rules: {}\nextends: ./base.yaml\n",
    { line: 2, message: /"\.\/base\.yaml" is not inside, and nothing is fetched/ },
  ],
  [
    "extends:\n  - spectral:oas\n  - https://example.com/rules.yaml\n",
    { line: 3, message: /nothing is fetched/ },
  ],
  ["extends: spectral:asyncapi\n", { line: 1, message: /spectral:oas can be extended/ }],
  ["extends: [[spectral:oas, some]]\n", { line: 1, message: /recommended, all or off/ }],
  [rule("$.a["), { line: 3, message: /The path/ }],
  [rule("'$[?(@property.match(/a/))]'"), { line: 3, message: /@property is not in RFC 9535/ }],
  [rule("'#None'"), { line: 3, message: /no alias "None"/ }],
  [
    "aliases: {A: ['#B'], B: ['#A']}\nrules: {r: {given: '#A', then: {function: truthy}}}\n",
    { line: 2, message: /refers to itself/ },
  ],
  [
    rule("$", "{function: pattern, functionOptions: {match: '(?<!a)b'}}"),
    { line: 4, message: /look-around/ },
  ],
  [
    rule("$", "{function: pattern, functionOptions: {match: '('}}"),
    { line: 4, message: /no regular expression/ },
  ],
  [rule("$", "{function: pattern}"), { line: 4, message: /match or notMatch is needed/ }],
  [
    rule("$", "{function: casing, functionOptions: {type: x}}"),
    { line: 4, message: /type must be one of flat/ },
  ],
  [rule("$", "{function: length}"), { line: 4, message: /min or max is needed/ }],
  [rule("$", "{function: enumeration}"), { line: 4, message: /values must be a list/ }],
  [rule("$", "{function: xor}"), { line: 4, message: /properties must be a list/ }],
  [rule("$", "{function: schema, functionOptions: {schema: {type: strin}}}"), { line: 4, message: /schema/ }],
  [rule("$", "{function: unreferencedReusableObject}"), { line: 4, message: /reusableObjectsLocation/ }],
  ["rules: {r: {given: $}}\n", { line: 1, message: /needs given and then/ }],
  [
    "rules: {r: {given: $, then: {function: truthy}, severity: high}}\n",
    { line: 1, message: /A severity is one of/ },
  ],
  ["rules: {info-contact: off}\n", { line: 1, message: /No ruleset that is extended has a rule/ }],
  [
    "extends: spectral:oas\nrules: {info-contacts: off}\n",
    { line: 2, message: /Did you mean info-contact\?/ },
  ],
  ["rule: {}\n", { line: 1, message: /did you mean rules\?/ }],
  ["overrides: [{rules: {}}]\n", { line: 1, message: /needs files or formats/ }],
  ["[1\n", { line: 2, message: /./ }],
  ["1\n", { line: 1, message: /Expected an object/ }],
])("%s is refused", async (ruleset, { line, message }) => {
  const refusal = await refusalOf(lint(document, ruleset));
  expect(refusal).toMatchObject({ code: "invalid_document", field: "ruleset", line });
  expect(refusal.message).toMatch(message);
});

test("rules that visit too much are refused, not run for ever", async () => {
  let deep: object = {};
  for (let level = 0; level < 300; level++) deep = { a: deep };
  const refusal = await refusalOf(
    lint(deep, { rules: { r: { given: "$..*..*..*..*", then: { function: "truthy" } } } }),
  );
  expect(refusal.code).toMatch(/invalid_document|memory_exceeded/);
});

test("a thousand findings, and the number of the others", async () => {
  const wide = { a: Array.from({ length: 1500 }, () => 0) };
  const { errors } = await lint(wide, { rules: { r: { given: "$.a[*]", then: { function: "truthy" } } } });
  expect(errors).toHaveLength(1001);
  expect(errors.at(-1)).toMatchObject({ rule: "more-findings", message: "There are 500 more findings." });
});
