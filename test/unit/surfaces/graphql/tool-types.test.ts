import { execute, parse, printType, validate } from "graphql";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Catalog, createCatalog } from "../../../../src/catalog/catalog.ts";
import { fieldsOf } from "../../../../src/catalog/fields.ts";
import { defineTool, type Tool } from "../../../../src/catalog/tool.ts";
import { toEnumName, toFieldName, toName } from "../../../../src/surfaces/graphql/schema/names.ts";
import { createSchema } from "../../../../src/surfaces/graphql/schema/schema.ts";
import { catalog, openTools } from "./tools-context.ts";

const listed = (...tools: Tool[]): Catalog =>
  createCatalog({
    text: Object.fromEntries(tools.map((tool) => [tool.slug, async () => ({ default: tool })])),
  });

const echo = (slug: string, input: z.ZodObject): Tool =>
  defineTool({
    slug,
    title: slug,
    summary: `Echo ${slug}.`,
    input,
    examples: [],
    run: (given) => JSON.stringify(given),
  });

const everything = echo(
  "every-type",
  z.object({
    data: z.string().describe("The document"),
    small: z.int().min(-5).max(2_147_483_647).default(3).describe("Fits"),
    large: z.int().min(0).max(2_147_483_648).optional().describe("Does not"),
    any: z.int().optional().describe("Without bounds"),
    ratio: z.number().default(0.5).describe("A number"),
    flag: z.boolean().default(false).describe("Yes or no"),
    kind: z.enum(["sha-256", "1.0", "", "true"]).describe("Which"),
    kinds: z
      .array(z.enum(["a", "b"]))
      .default(["b"])
      .describe("Some"),
    words: z.array(z.string()).min(1).describe("Words"),
    "odd-name": z.string().default('"\\\n').describe('With "quotes" and\nlines'),
  }),
);

async function run(
  tool: Tool,
  args: string,
  variableValues?: Record<string, unknown>,
  head = "",
): Promise<unknown> {
  const own = listed(tool);
  const { schema } = await createSchema(own);
  const document = parse(`${head} { run { it: ${toFieldName(tool.slug)}${args} { result } } }`);
  const errors = validate(schema, document);
  if (errors.length > 0) return errors.map(({ message }) => message);
  const { context } = await openTools({ catalog: own });
  const { data, errors: refused } = await execute({
    schema,
    document,
    contextValue: context,
    ...(variableValues && { variableValues }),
  });
  if (refused) return refused.map(({ message }) => message);
  return JSON.parse((data as { run: { it: { result: string } } }).run.it.result) as unknown;
}

describe("the types of a tool", () => {
  test("are as flat and as strict as its fields", async () => {
    const { schema } = await createSchema(listed(everything));
    expect(printType(schema.getType("EveryTypeInput")!)).toBe(
      [
        '"""The fields of every-type."""',
        "input EveryTypeInput {",
        ...[
          ["The document", "data: String!"],
          ["Fits", "small: Int = 3"],
          ["Does not", "large: Long"],
          ["Without bounds", "any: Long"],
          ["A number", "ratio: Float = 0.5"],
          ["Yes or no", "flag: Boolean = false"],
          ["Which", "kind: EveryTypeKind!"],
          ["Some", "kinds: [EveryTypeKinds!] = [B]"],
          ["Words", "words: [String!]!"],
        ].flatMap(([description, field]) => [`  """${description}"""`, `  ${field}`, ""]),
        '  """\n  With "quotes" and\n  lines\n  """',
        String.raw`  odd_name: String = "\"\\\n"`,
        "}",
      ].join("\n"),
    );
    expect(printType(schema.getType("EveryTypeKind")!)).toBe(
      '"""kind of every-type."""\nenum EveryTypeKind {\n  """sha-256"""\n  SHA_256\n\n  """1.0"""\n  _1_0\n\n  """"""\n  _\n  TRUE\n}',
    );
  });

  test("pass the tool its own names of values and fields", async () => {
    const given = '(input: {data: "x", kind: SHA_256, words: ["a"], large: 2147483648, odd_name: "y"})';
    expect(await run(everything, given)).toEqual({
      data: "x",
      small: 3,
      large: 2_147_483_648,
      ratio: 0.5,
      flag: false,
      kind: "sha-256",
      kinds: ["b"],
      words: ["a"],
      "odd-name": "y",
    });
  });

  test("accept null for an omitted field, in literals and variables", async () => {
    const literal = '(input: {data: "x", kind: _1_0, words: [], small: null, large: null, kinds: null})';
    const expected = ["words must have at least 1 item, got 0."];
    expect(await run(everything, literal)).toEqual(expected);
    const variables = {
      input: { data: "x", kind: "TRUE", words: ["w"], small: null, flag: null, kinds: ["A"] },
    };
    expect(await run(everything, "(input: $input)", variables, "query ($input: EveryTypeInput!)")).toEqual({
      data: "x",
      small: 3,
      ratio: 0.5,
      flag: false,
      kind: "true",
      kinds: ["a"],
      words: ["w"],
      "odd-name": '"\\\n',
    });
  });

  test.each([
    ["(input: {kind: SHA_256, words: []})", 'to include required field "data"'],
    ["(input: {data: null, kind: SHA_256, words: []})", "String!"],
    [
      '(input: {data: "x", kind: "sha-256", words: []})',
      'Enum "EveryTypeKind" cannot represent non-enum value',
    ],
    ['(input: {data: "x", kind: MD5, words: []})', '"MD5" does not exist in "EveryTypeKind" enum'],
    ['(input: {data: "x", kind: TRUE, words: [null]})', "String!"],
    ['(input: {data: "x", kind: TRUE, words: [], small: 2147483648})', "Int cannot represent"],
    ['(input: {data: "x", kind: TRUE, words: [], colour: 1})', '"colour"'],
    ["", '"ToolRunner.everyType(input:)" of type "EveryTypeInput!" is required'],
    ['(input: {data: "x", kind: TRUE, words: []}, check: true)', 'Unknown argument "check"'],
  ])("refuse %s before anything runs", async (args, message) => {
    expect(String(await run(everything, args))).toContain(message);
  });

  test("leave out what a tool does not have", async () => {
    const bare = echo("bare", z.object({}));
    const optional = echo(
      "all-optional",
      z.object({ count: z.int().min(1).max(9).default(1).describe("How many") }),
    );
    const { sdl } = await createSchema(listed(bare, optional));
    expect(sdl).toContain("  bare: ToolRun\n");
    expect(sdl).toContain("allOptional(input: AllOptionalInput): ToolRun");
    expect(await run(bare, "")).toEqual({});
    expect(await run(optional, "")).toEqual({ count: 1 });
    expect(await run(optional, "(input: null)")).toEqual({ count: 1 });
  });

  test("have unique names, whatever a pipeline is called", async () => {
    const input = z.object({ data: z.string().describe("x"), by: z.enum(["a"]).default("a").describe("y") });
    const slugs = ["a-1b", "a1b", "2fa", "tool", "report", "tool-runner", "query", "create", "a-1b-by"];
    const tools = slugs.map((slug) => echo(slug, input));
    const { schema } = await createSchema(listed(...tools));
    const runner = schema.getType("ToolRunner") as unknown as { getFields(): object };
    expect(Object.keys(runner.getFields())).toEqual([
      "a1b",
      "a1b_",
      "_2fa",
      "tool",
      "report",
      "toolRunner",
      "query",
      "create",
      "a1bBy",
    ]);
    for (const tool of tools) {
      const { context } = await openTools({ catalog: listed(...tools) });
      const document = parse(`{ tool(slug: "${tool.slug}") { field } }`);
      const { data } = await execute({ schema, document, contextValue: context });
      const { field } = (data as { tool: { field: string } }).tool;
      const source = `{ run { ${field}(input: {data: "d"}) { tool { slug } result } } }`;
      expect(validate(schema, parse(source))).toEqual([]);
      expect(await execute({ schema, document: parse(source), contextValue: context })).toEqual({
        data: { run: { [field]: { tool: { slug: tool.slug }, result: '{"data":"d","by":"a"}' } } },
      });
    }
  });
});

describe("every tool of the catalogue", () => {
  test("has a field, and requires what its schema requires", async () => {
    const { schema } = await createSchema(catalog);
    const runner = schema.getType("ToolRunner");
    if (runner === undefined || !("getFields" in runner)) throw new Error("no ToolRunner");
    const tools = await catalog.all();
    expect(Object.keys(runner.getFields())).toEqual(tools.map(({ slug }) => toFieldName(slug)));
    for (const tool of tools) {
      const type = schema.getType(
        `${toFieldName(tool.slug).replace(/^./, (letter) => letter.toUpperCase())}Input`,
      );
      const inputs = type !== undefined && "getFields" in type ? Object.values(type.getFields()) : [];
      expect(
        inputs.map((field) => [field.name, String(field.type).endsWith("!"), field.description]),
      ).toEqual(fieldsOf(tool.input).map((field) => [field.name, field.required, field.description]));
    }
  });
});

test.each([
  ["sha-256", "SHA_256"],
  ["key.issued", "KEY_ISSUED"],
  ["2020-12", "_2020_12"],
  ["kB", "KB"],
  ["__type", "_TYPE"],
  ["a b/c", "A_B_C"],
])("the value %s is named %s", (value, name) => {
  expect(toEnumName(value)).toBe(name);
});

test("every name is valid in GraphQL", () => {
  for (const text of ["", "é", "1", "__", "a-b", "a.b", "$", "__a__"])
    expect(toName(text)).toMatch(/^(?!__)[A-Za-z_]\w*$/);
});
