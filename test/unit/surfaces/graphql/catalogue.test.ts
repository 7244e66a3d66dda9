import { execute, type ExecutionResult, parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { describe as describeTool } from "../../../../src/catalog/describe.ts";
import { ToolError } from "../../../../src/catalog/errors.ts";
import { addPipelines } from "../../../../src/catalog/pipelines.ts";
import { defineTool } from "../../../../src/catalog/tool.ts";
import { withJsonText } from "../../../../src/surfaces/graphql/schema/json-text.ts";
import { createSchema } from "../../../../src/surfaces/graphql/schema/schema.ts";
import { catalog, openTools, type Tried } from "./tools-context.ts";

const { schema } = await createSchema(catalog);

// The shape of the data is known at each assertion.
// oxlint-disable-next-line typescript/no-explicit-any
type Data = any;

async function ask(
  source: string,
  {
    variables,
    on = schema,
    ...given
  }: Parameters<typeof openTools>[0] & { variables?: string; on?: typeof schema } = {},
): Promise<Tried & { data: Data; errors: NonNullable<ExecutionResult["errors"]> }> {
  const tried = await openTools(given);
  const document = parse(source);
  expect(validate(on, document)).toEqual([]);
  const [operation] = document.definitions;
  if (operation?.kind !== "OperationDefinition") throw new Error("A document begins with its operation");
  const params =
    variables === undefined
      ? {}
      : { variables: JSON.parse(variables) as Record<string, unknown>, source: variables };
  const variableValues = withJsonText(operation, params);
  const { data, errors = [] } = await execute({
    schema: on,
    document,
    contextValue: tried.context,
    ...(variableValues && { variableValues }),
  });
  return { ...tried, data, errors };
}

/** The refusal of the one field that failed. */
function refusalOf(errors: ExecutionResult["errors"]): ToolError {
  const [error] = errors ?? [];
  if (!(error?.originalError instanceof ToolError)) throw new Error(`no refusal: ${String(error)}`);
  return error.originalError;
}

describe("tools", () => {
  test("lists the catalogue in its order, in pages", async () => {
    const slugs: string[] = [];
    let after = "";
    for (let more = true; more;) {
      const { data } = await ask(
        `{ tools(first: 40${after}) { totalCount nodes { slug } pageInfo { hasNextPage endCursor } } }`,
      );
      const { nodes, pageInfo, totalCount } = data.tools;
      expect(totalCount).toBe(catalog.slugs.length);
      expect(nodes.length).toBeLessThanOrEqual(40);
      slugs.push(...nodes.map(({ slug }: { slug: string }) => slug));
      after = `, after: "${pageInfo.endCursor}"`;
      more = pageInfo.hasNextPage;
    }
    expect(slugs).toEqual(catalog.slugs);
  });

  test("has the same members as over REST", async () => {
    const fields =
      "slug title summary accepts aliases version deterministic checkable input examples { title input result } steps";
    const { data } = await ask(`{ tools { nodes { ${fields} } } }`);
    const expected = (await catalog.all()).map((tool) => {
      const { category: _, examples, accepts = null, ...rest } = describeTool(tool);
      return {
        ...rest,
        accepts,
        examples: examples.map((example) => ({ title: null, ...example })),
        steps: null,
      };
    });
    expect(data.tools.nodes).toEqual(expected);
  });

  test.each([
    ["(category: JSON, first: 2)", ["json-canonicalizer", "json-editor"], true],
    ['(search: "sort  LINES", first: 3)', ["line-sorter", "json-sorter", "csv-query"], true],
    ['(search: "json", category: GENERATE)', ["test-data-generator"], false],
    ["(first: 0)", [], true],
    [`(search: "${"a ".repeat(100)}", first: 1)`, [], false],
    ['(search: "md5sum", first: 1)', ["hash-generator"], true],
    ['(search: "md5sum", first: 1, after: "hash-generator")', ["checksum-verifier"], false],
    ['(search: " ", first: 1)', ["certificate-expiry-checker"], true],
  ])("finds %s", async (args, slugs, hasNextPage) => {
    const { data } = await ask(`{ tools${args} { nodes { slug } pageInfo { hasNextPage endCursor } } }`);
    expect(data.tools.nodes.map(({ slug }: { slug: string }) => slug)).toEqual(slugs);
    expect(data.tools.pageInfo).toEqual({ hasNextPage, endCursor: slugs.at(-1) ?? null });
  });

  test.each([
    ["", null, "certificate-expiry-checker"],
    ['(search: "md5sum")', false, "hash-generator"],
    ['(search: "gzip")', true, "base64-encoder"],
    ['(search: "md5sum", category: JSON)', true, undefined],
    ['(search: "zzzzzz")', true, undefined],
  ])("says whether %s finds only the nearest", async (args, onlyNearest, first) => {
    const { data } = await ask(`{ tools${args} { onlyNearest nodes { slug } } }`);
    expect([data.tools.onlyNearest, data.tools.nodes[0]?.slug]).toEqual([onlyNearest, first]);
  });

  test.each([
    ["first: -1", "/first"],
    ["first: 1001", "/first"],
    ['after: "nothing"', "/after"],
    ['after: "line-sorter", category: JSON', "/after"],
    // Each word is searched for in every tool: a megabyte of words took a second.
    [`search: "${"a ".repeat(101)}"`, "/search"],
  ])("refuses %s", async (args, pointer) => {
    const { errors } = await ask(`{ tools(${args}) { totalCount } }`);
    expect(refusalOf(errors)).toMatchObject({ code: "invalid_input", details: { errors: [{ pointer }] } });
  });
});

describe("tool", () => {
  test("is a tool of the list, with the field that runs it", async () => {
    const { data } = await ask('{ tool(slug: "base64-encoder") { field category } }');
    expect(data).toEqual({ tool: { field: "base64Encoder", category: "ENCODING" } });
  });

  test("suggests the nearest if there is none", async () => {
    const { data, errors } = await ask('{ tool(slug: "jsonformatter") { slug } viewer: __typename }');
    expect(data).toEqual({ tool: null, viewer: "Query" });
    expect(refusalOf(errors)).toMatchObject({ code: "unknown_tool", details: { nearest: "json-formatter" } });
  });
});

describe("run", () => {
  test("runs many concurrently, and a refused run does not affect the others", async () => {
    const { data, errors, seen } = await ask(`{ run {
      jsonFormatter(input: {data: "{\\"a\\":1.0}", indent: 0}) { result version tool { slug } valid report { valid } }
      bad: jsonFormatter(input: {data: "{"}) { result }
      jsonValidator(input: {data: "[1,]"}) { result valid report { valid errors { rule severity line column offset pointer message } } }
    } }`);
    expect(data.run.jsonFormatter).toEqual({
      result: '{"a":1.0}',
      version: expect.stringMatching(/^1\.\d+\.0$/) as string,
      tool: { slug: "json-formatter" },
      valid: null,
      report: null,
    });
    expect(data.run.bad).toBeNull();
    expect(refusalOf(errors)).toMatchObject({ code: "invalid_document", details: { errors: [{ line: 1 }] } });
    expect(errors.map(({ path }) => path)).toEqual([["run", "bad"]]);
    expect(data.run.jsonValidator).toMatchObject({
      valid: false,
      report: { valid: false, errors: [{ severity: "ERROR", line: 1, column: 3, offset: 2 }] },
    });
    expect(JSON.parse(data.run.jsonValidator.result).errors).toHaveLength(
      data.run.jsonValidator.report.errors.length,
    );
    expect(seen.map(({ slug, outcome }) => [slug, outcome])).toEqual([
      ["json-formatter", "ok"],
      ["json-formatter", "invalid_document"],
      ["json-validator", "ok"],
    ]);
  });

  test("checks", async () => {
    const { data } = await ask(`{ run {
      a: jsonFormatter(input: {data: "{}"}, check: true) { valid report { valid errors { rule } } }
      b: jsonFormatter(input: {data: "{ }"}, check: true) { valid report { valid errors { rule } } }
    } }`);
    expect(data.run.a).toEqual({ valid: true, report: { valid: true, errors: [] } });
    expect(data.run.b).toMatchObject({ valid: false, report: { valid: false, errors: [{}] } });
  });

  test("offloads large and isolated calls from the event loop, as REST does", async () => {
    const large = JSON.stringify({ i: { data: `"${"x".repeat(2000)}"`, indent: 0 } });
    const source = "query ($i: JsonFormatterInput!) { run { jsonFormatter(input: $i) { result } } }";
    expect((await ask(source, { variables: large, inlineBytes: 1000 })).away()).toBe(1);
    expect((await ask(source, { variables: large })).away()).toBe(0);
    expect(
      (await ask('{ run { regexTester(input: {data: "aab", pattern: "a+"}) { result } } }')).away(),
    ).toBe(1);
  });

  test("yields to other callers between two runs", async () => {
    const fields = Array.from(
      { length: 5 },
      (_, index) => `r${index}: hexEncoder(input: {data: "${index}"}) { result }`,
    );
    let turns = 0;
    let asking = true;
    const count = (): void => {
      turns++;
      if (asking) setImmediate(count);
    };
    const asked = ask(`{ run { ${fields.join(" ")} } }`);
    setImmediate(count);
    const { data } = await asked;
    asking = false;
    expect(Object.values(data.run)).toEqual(["30", "31", "32", "33", "34"].map((result) => ({ result })));
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  test("has at most four in workers at a time, and starts no more once the caller has disconnected", async () => {
    let running = 0;
    let most = 0;
    const controller = new AbortController();
    const slow = defineTool({
      slug: "slow",
      title: "Slow",
      summary: "Waits.",
      input: z.object({}),
      examples: [],
      isolate: "thread",
      async run() {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        return "done";
      },
    });
    const own = createCatalog({ text: { slow: async () => ({ default: slow }) } });
    const { schema: on } = await createSchema(own);
    const source = `{ run { ${Array.from({ length: 20 }, (_, index) => `r${index}: slow { result }`).join(" ")} } }`;
    const whole = await ask(source, { on, catalog: own });
    expect([whole.errors, whole.seen.length, most]).toEqual([[], 20, 4]);

    const asked = ask(source, { on, catalog: own, signal: controller.signal });
    setTimeout(() => controller.abort(), 2);
    const { seen, errors } = await asked;
    expect(seen.length).toBeLessThanOrEqual(4);
    expect(errors.length).toBeGreaterThanOrEqual(16);
  });

  test("refuses more results than an answer may contain", async () => {
    const document = JSON.stringify(`[${"1,".repeat(9000)}1]`);
    const fields = Array.from(
      { length: 30 },
      (_, index) => `r${index}: jsonFormatter(input: {data: $d, indent: 10}) { tool { slug } }`,
    );
    const variables = `{"d":${JSON.stringify(`[${JSON.parse(document).slice(1, -1)}]`)}}`;
    const few = await ask(`query ($d: String!) { run { ${fields.slice(0, 2).join(" ")} } }`, { variables });
    expect(few.errors).toEqual([]);
    const text = "y".repeat(1_000_000);
    const many = Array.from(
      { length: 20 },
      (_, index) => `r${index}: hexEncoder(input: {data: $d}) { tool { slug } }`,
    );
    const { errors } = await ask(`query ($d: String!) { run { ${many.join(" ")} } }`, {
      variables: JSON.stringify({ d: text }),
    });
    expect(errors).toHaveLength(12);
    expect(refusalOf(errors).code).toBe("memory_exceeded");
  });
});

describe("runTool", () => {
  const run = async (input: string, slug: string, more = ""): ReturnType<typeof ask> => {
    const source = `mutation ($slug: ID!, $input: JSON!) { runTool(slug: $slug, input: $input${more}) { result valid tool { slug } } }`;
    return ask(source, { variables: `{"slug":${JSON.stringify(slug)},"input":${input}}` });
  };

  test("takes the same JSON values as REST, digit for digit", async () => {
    const input =
      '{"data":"{\\"a\\":1}","patch":[{"op":"add","path":"/b","value":1.00},{"op":"add","path":"/c","value":12345678901234567890}],"indent":0}';
    const { data } = await run(input, "json-patcher");
    expect(data.runTool.result).toBe('{"a":1,"b":1.00,"c":12345678901234567890}');
    const literal = await ask(
      'mutation { runTool(slug: "json-patcher", input: {data: "{\\"a\\":1}", indent: 0, patch: [{op: "add", path: "/b", value: 1.00}]}) { result } }',
    );
    expect(literal.data.runTool.result).toBe('{"a":1,"b":1.00}');
  });

  test("has the same errors as REST", async () => {
    const refused = async (input: string, slug = "json-formatter", more = ""): Promise<ToolError> => {
      const { data, errors } = await run(input, slug, more);
      expect(data).toEqual({ runTool: null });
      return refusalOf(errors);
    };
    expect(await refused('{"data":"1","indnt":2}')).toMatchObject({
      code: "unknown_field",
      details: { nearest: "indent" },
    });
    expect(await refused('{"data":"1","indent":"2"}')).toMatchObject({
      code: "invalid_input",
      details: { errors: [{ pointer: "/indent" }] },
    });
    expect(await refused('{"data":"1","data":"2"}')).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("twice"),
    });
    expect(await refused('{"data":"1","indent":null}')).toMatchObject({ code: "invalid_input" });
    expect(await refused("{}")).toMatchObject({
      code: "invalid_input",
      details: { errors: [{ pointer: "/data" }] },
    });
    expect(await refused('"text"')).toMatchObject({ code: "invalid_input" });
    expect(await refused("[1]")).toMatchObject({ code: "invalid_input" });
    expect(await refused('{"data":"{"}')).toMatchObject({ code: "invalid_document" });
    expect(await refused("{}", "jsonformatter")).toMatchObject({
      code: "unknown_tool",
      details: { nearest: "json-formatter" },
    });
    expect(await refused('{"data":"x"}', "hex-encoder", ", check: true")).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("check"),
    });
    expect(await refused('{"data":"gA==","charset":"utf-8"}', "base64-decoder")).toMatchObject({
      code: "invalid_document",
    });
  });

  test("checks", async () => {
    expect((await run('{"data":"{ }"}', "json-formatter", ", check: true")).data.runTool.valid).toBe(false);
  });

  test("runs one after the other", async () => {
    const { data, seen } = await ask(`mutation {
      a: runTool(slug: "hex-encoder", input: {data: "a"}) { result }
      b: runTool(slug: "base64-encoder", input: {data: "b"}) { result }
    }`);
    expect(data).toEqual({ a: { result: "61" }, b: { result: "Yg==" } });
    expect(seen.map(({ slug }) => slug)).toEqual(["hex-encoder", "base64-encoder"]);
  });
});

test("a named pipeline is a tool", async () => {
  const files = {
    "tidy.yaml":
      "title: Tidy\nsteps:\n  - tool: base64-decoder\n  - tool: json-formatter\n    with: {indent: 0}\n",
  };
  const own = addPipelines(
    catalog,
    { path: "pipelines", files: Object.keys(files), read: () => files["tidy.yaml"] },
    [],
  );
  const { schema: on, sdl } = await createSchema(own);
  expect(sdl.includes("input: TidyInput!")).toBe(true);
  const source =
    '{ tool(slug: "tidy") { category steps field } run { tidy(input: {data: "eyAiYSIgOiAxIH0="}) { result } } }';
  const { data } = await ask(source, { on, catalog: own });
  expect(data).toEqual({
    tool: { category: "PIPELINES", steps: ["base64-decoder", "json-formatter"], field: "tidy" },
    run: { tidy: { result: '{"a":1}' } },
  });
  const generic = await ask(
    'mutation { runTool(slug: "tidy", input: {data: "eyAiYSIgOiAxIH0="}) { result } }',
    { on, catalog: own },
  );
  expect(generic.data.runTool.result).toBe('{"a":1}');
});
