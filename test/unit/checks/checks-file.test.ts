import { expect, test } from "vitest";
import { ToolError } from "../../../src/catalog/errors.ts";
import { startCost } from "../../cost/start-cost.ts";
import { read } from "./read-checks.ts";

/** One entry with this in the place of its options. */
const withOptions = (tool: string, options: string) =>
  `checks:\n  - tool: ${tool}\n    files: "**"\n    with: { ${options} }\n`;

test.each<[string, string[]]>([
  ["", ['1:1: Must be an object such as {checks: [{tool: json-validator, files: "**/*.json"}]}.']],
  ["checks: [", ["1:10: Flow sequence in block collection must be sufficiently indented and end with a ]."]],
  ["a: 1\n---\nb: 2", ["checks.yaml: A file holds one document; leave out what follows ---."]],
  ["checks: []", ['1:9: checks must be a list such as [{tool: json-validator, files: "**/*.json"}].']],
  [
    "exclude: 1\nchecks: 2",
    [
      '1:10: exclude must be a pattern such as "**/*.json", or a list of patterns.',
      '2:9: checks must be a list such as [{tool: json-validator, files: "**/*.json"}].',
    ],
  ],
  [
    "chekcs: []\nchecks: [1]",
    [
      '1:1: Unknown key "chekcs". Did you mean checks?',
      '2:10: A check must be an object such as {tool: json-validator, files: "**/*.json"}.',
    ],
  ],
  // Every mistake is reported, each at its place.
  [
    `checks:
  - tool: json-validatr
    fils: "*.json"
    severity: fatal
    required: maybe
  - tool: uuid-generator
    files: ["*.json", 7]
    includeIgnored: 1
  - { tool: toml-validator, files: "[z-a]", exclude: "../x" }
`,
    [
      '2:11: Unknown tool "json-validatr". Did you mean json-validator?',
      '3:5: Unknown key "fils". Did you mean files?',
      '2:5: files must be a pattern such as "**/*.json", or a list of patterns.',
      "4:15: severity must be error or warning.",
      "5:15: required must be true or false, got a string.",
      "6:11: uuid-generator has no check mode: it neither validates nor formats a document.",
      '7:12: files must be a pattern such as "**/*.json", or a list of patterns.',
      "8:21: includeIgnored must be true or false, got a number.",
      "9:13: toml-validator is switched off by tools.disabled.",
      "9:36: The range ends before it begins.",
      "9:54: A pattern cannot leave the folder of the file with ...",
    ],
  ],
  [
    withOptions("json-formatter", "indent: 11, sortkeys: true"),
    ['4:25: Unknown field "sortkeys". Did you mean sortKeys?'],
  ],
  [
    withOptions("json-formatter", "indent: 11, sortKeys: maybe"),
    ["4:21: indent must be 0 to 10, got 11.", "4:35: sortKeys must be true or false, got a string."],
  ],
  [withOptions("json-formatter", "data: '{}'"), ["4:13: The document is the file; leave data out."]],
  [
    withOptions("json-formatter", "indentFile: a"),
    [
      '4:13: Unknown field "indentFile". Known fields: indent, useTabs, width, objects, dialect, sortKeys, duplicateKeys.',
    ],
  ],
  [withOptions("json-schema-validator", ""), ["4:11: schema is required."]],
  [
    withOptions("json-schema-validator", "schemaFile: none.json"),
    ["4:25: none.json cannot be read: there is no such file"],
  ],
  [withOptions("json-schema-validator", "schemaFile: 1"), ["4:25: schemaFile must be the name of a file."]],
  [
    withOptions("json-schema-validator", "schema: {}, schemaFile: schemas/a.json"),
    ["4:25: Give schema or schemaFile, not both."],
  ],
  [
    "checks: [{ tool: json-validator, files: '*', with: 3 }]",
    ["1:52: with must be an object with the options of json-validator, got a number."],
  ],
])("mistakes are reported with their places: %j", async (text, mistakes) => {
  const message = await read(text).then(
    () => "",
    (error: ToolError) => {
      expect(error).toMatchObject({ name: "ToolError", code: "invalid_input" });
      return error.message;
    },
  );
  const lines = mistakes.map((mistake) =>
    mistake.startsWith("checks.yaml") ? mistake : `checks.yaml:${mistake}`,
  );
  expect(message.split("\n").toSorted()).toEqual(lines.toSorted());
});

test("reports twenty mistakes of many", async () => {
  const text = `checks:\n${'  - { tool: x, files: "*" }\n'.repeat(50)}`;
  await expect(read(text)).rejects.toThrow(/^(?:checks\.yaml:.+\n){20}checks\.yaml: and 30 more$/);
});

test("reads options as the tool takes them: documents from files, JSON values as text with their digits", async () => {
  const { entries } = await read(`checks:
  - { tool: json-schema-validator, files: "*", with: { schemaFile: schemas/a.json } }
  - tool: json-schema-validator
    files: ["*.json", "!b.json"]
    exclude: [c]
    with:
      schema: { maximum: 1.50 }
  - { tool: webhook-signature-verifier, files: x, with: { provider: github, secretFile: key.txt, headers: "a: b" } }
`);
  expect(entries.map(({ options }) => options)).toEqual([
    { schema: '{"type":"object"}' },
    { schema: '{"maximum":1.50}' },
    { provider: "github", secret: "s3cret", headers: "a: b" },
  ]);
  expect(entries[1]?.patterns).toEqual({ files: ["*.json", "!b.json"], exclude: ["c"] });
});

test("the place of a second document is that of its option", async () => {
  const { entries } = await read(withOptions("json-schema-validator", "schemaFile: schemas/a.json"));
  const error = new ToolError("invalid_document", "Bad.", {
    errors: [{ message: "Bad.", field: "schema", line: 1, column: 2 }],
  });
  expect(entries[0]?.toRefusal(error)).toMatchObject({
    code: "invalid_input",
    message: "checks.yaml:4:25: schemaFile (schemas/a.json): Bad. (line 1, column 2)",
  });
});

test("finds the places of many entries in one pass over the file", async () => {
  const text = `checks:\n${'  - { tool: json-validator, files: "*" }\n'.repeat(2000)}`;
  const file = await read(text);
  const pointers = file.entries.map(({ pointer }) => `${pointer}/files`);
  const one = startCost();
  file.locate(pointers.slice(0, 1));
  const single = one();
  const all = startCost();
  expect(file.locate(pointers).at(-1)).toBe("checks.yaml:2001:36");
  expect(all()).toBeLessThan(single * 20 + 20);
});
