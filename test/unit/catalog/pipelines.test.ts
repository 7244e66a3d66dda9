import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { describe as describeTool, summarize } from "../../../src/catalog/describe.ts";
import { ToolError } from "../../../src/catalog/errors.ts";
import { type Answer, type Body, type ToolCall, execute } from "../../../src/catalog/execute.ts";
import { readEnvelope, toEnvelopeAnswer } from "../../../src/catalog/pipeline-envelope.ts";
import { addPipelines } from "../../../src/catalog/pipelines.ts";
import type { Ticket } from "../../../src/catalog/principal.ts";
import { createRunner, type RunResult } from "../../../src/catalog/run.ts";
import { tools } from "../../../src/tools/index.ts";
import { context } from "../tools/run-tool.ts";
import { testRuntime } from "../../support/runtime.ts";

const open = (files: Record<string, string>, disabled: readonly string[] = []) =>
  addPipelines(
    createCatalog(tools, disabled),
    { path: "conf/pipelines", files: Object.keys(files), read: (file) => files[file] ?? "" },
    disabled,
  );

const decode = `title: House JSON
summary: Decode base64 and format the JSON that is in it.
version: "2.1.0"
steps:
  - tool: base64-decoder
  - tool: json-formatter
    with: { indent: 1 }
examples:
  - title: A list
    input: { data: WzFd }
    result: "[\\n 1\\n]"
`;

const load = async (text: string, slug = "house-json", disabled: readonly string[] = []) =>
  open({ [`${slug}.yaml`]: text }, disabled).get(slug);

describe("a pipeline in a file", () => {
  test("is a tool among the others, last of all", async () => {
    const catalog = open({ "house-json.yaml": decode });
    expect(catalog.slugs.at(-1)).toBe("house-json");
    expect([catalog.has("house-json"), catalog.has("json-formatter"), catalog.has("x")]).toEqual([
      true,
      true,
      false,
    ]);
    expect((await catalog.all()).at(-1)?.slug).toBe("house-json");
    expect((await catalog.get("json-formatter")).slug).toBe("json-formatter");
    await expect(catalog.get("hous-json")).rejects.toThrow(
      expect.objectContaining({ code: "unknown_tool", details: { nearest: "house-json" } }),
    );
    await expect(catalog.get("json-formater")).rejects.toThrow("Did you mean json-formatter?");
  });

  test("is described by its file and its tools, without the options", async () => {
    const tool = await load(decode);
    expect(summarize(tool)).toEqual({
      slug: "house-json",
      title: "House JSON",
      summary: "Decode base64 and format the JSON that is in it.",
      category: "pipelines",
      aliases: [],
      version: "2.1.0",
      deterministic: true,
      checkable: true,
    });
    const described = describeTool(tool);
    expect(described).toMatchObject({
      input: { required: ["data"], additionalProperties: false },
      examples: [{ title: "A list", input: { data: "WzFd" }, result: "[\n 1\n]" }],
      steps: ["base64-decoder", "json-formatter"],
    });
    expect(Object.keys((described.input as { properties: object }).properties)).toEqual(["data"]);
    expect(JSON.stringify(described)).not.toContain("indent");
  });

  test("needs nothing but its steps", async () => {
    const tool = await load("steps: [{tool: uuid-generator}, {tool: base64-encoder}]", "new-id");
    expect(summarize(tool)).toEqual({
      slug: "new-id",
      title: "New id",
      summary: "UUID generator, then Base64 encoder.",
      category: "pipelines",
      aliases: [],
      version: "1.0.0",
      deterministic: false,
      checkable: false,
    });
    expect(describeTool(tool).input).not.toHaveProperty("required");
    expect(tool.runBytes).toBeUndefined();
  });

  test("can have YAML in place of JSON, with numbers as they are written", async () => {
    const text = `steps:
  - tool: json-schema-validator
    with:
      schema:
        type: object
        properties: { id: { maximum: 12345678901234567890 }, "no": { const: no } }
  - tool: json-differ
    with: { other: [1.0, 0x10, null, "1"] }
  - { tool: json-differ, with: { other: '{"a": 1}' } }`;
    const { steps } = await load(text);
    expect(steps?.map((step) => step.with)).toEqual([
      {
        schema: '{"type":"object","properties":{"id":{"maximum":12345678901234567890},"no":{"const":"no"}}}',
      },
      { other: '[1.0,16,null,"1"]' },
      { other: '{"a": 1}' },
    ]);
  });

  test("can repeat parts by anchors", async () => {
    const text = "steps: [&s {tool: json-formatter, with: {indent: 3}}, *s]";
    expect((await load(text)).steps).toMatchObject([{ with: { indent: 3 } }, { with: { indent: 3 } }]);
  });

  test("is read again if reading failed", async () => {
    let text = "steps: []";
    const folder = { path: "p", files: ["a.yaml"], read: () => text };
    const catalog = addPipelines(createCatalog(tools), folder, []);
    await expect(catalog.get("a")).rejects.toThrow("p/a.yaml:1:8");
    text = "steps: [{tool: json-formatter}]";
    expect((await catalog.get("a")).slug).toBe("a");
  });
});

describe("errors in a file are reported with line and column", () => {
  test.each<[string, string, string]>([
    ["nothing", "", "1:1: The file must have the fields of a pipeline"],
    ["a list", "- tool: json-formatter", "1:1: The file must have the fields of a pipeline"],
    ["no YAML", "steps: [", "1:9: "],
    ["a key twice", "title: a\ntitle: b", '2:1: The key "title" occurs twice in this map'],
    ["two documents", "steps: [{tool: json-formatter}]\n---\nsteps: []", "1:1: A file holds one pipeline"],
    ["an alias without an anchor", "steps: *x", "1:8: There is no anchor"],
    ["an unknown field", "title: a\nstep: []", '2:7: Unknown field "step". Did you mean steps?'],
    ["no steps", "title: a", "1:1: steps is required."],
    ["zero steps", "title: a\nsteps: []", "2:8: steps must have at least one step."],
    ["steps that are no list", "steps: json-formatter", "1:8: steps must be an array such as"],
    [
      "21 steps",
      `steps:\n${"- tool: json-formatter\n".repeat(21)}`,
      "2:1: steps: A pipeline has at most 20 steps",
    ],
    ["a step that is a name", "steps:\n  - json-formatter", "2:5: Step 1: A step must be an object"],
    [
      "an unknown field of a step",
      "steps:\n  - tool: json-sorter\n    whit: 1",
      "3:11: Step 1: Unknown field",
    ],
    [
      "an unknown tool",
      "steps:\n  - tool: json-sorter\n  - tool: json-formater",
      "3:11: Step 2: There is no tool of that name. Did you mean json-formatter?",
    ],
    [
      "an unknown option",
      "steps:\n  - tool: json-formatter\n    with: {indnt: 2}",
      '3:19: Step 1 (json-formatter): Unknown field "indnt". Did you mean indent?',
    ],
    [
      "an option of another type",
      "steps:\n  - tool: json-formatter\n    with:\n      indent: two",
      "4:15: Step 1 (json-formatter): indent must be an integer, got a string.",
    ],
    [
      "text that YAML takes for a number",
      "steps: [{tool: uuid-generator, with: {seed: 12}}]",
      "1:45: Step 1 (uuid-generator): seed must be a string, got a number.",
    ],
    [
      "an option that is missing",
      "steps:\n  - {tool: json-sorter}\n  - {tool: regex-tester, with: {flags: i}}",
      "3:32: Step 2 (regex-tester): pattern is required.",
    ],
    [
      "data among the options",
      "steps: [{tool: json-sorter, with: {data: x}}]",
      "1:42: Step 1 (json-sorter): data: ",
    ],
    ["with of nothing", "steps: [{tool: json-sorter, with: }]", "1:35: Step 1: with must be an object"],
    [
      "a tool without a document in the middle",
      "steps: [{tool: json-sorter}, {tool: uuid-generator}]",
      "1:37: Step 2: uuid-generator takes no document",
    ],
    [
      "a version that is a number",
      "version: 1.0\nsteps: []",
      "1:10: version must be text; put it in quotes.",
    ],
    [
      "a version that is none",
      'version: "1\\r\\nSet-Cookie: a"\nsteps: []',
      "1:10: version must be one line",
    ],
    [
      "another version that is none",
      'version: "one"\nsteps: []',
      '1:10: version must be a version such as "1.0.0".',
    ],
    ["a title of two lines", 'title: "a\\nb"', "1:8: title must be one line of 1 to 100 characters."],
    ["a summary of nothing", 'summary: " "', "1:10: summary must be one line"],
    [
      "examples that are no list",
      "steps: [{tool: json-sorter}]\nexamples: {}",
      "2:11: examples must be an array of {input: {data: …}, result: …}.",
    ],
    [
      "an example with an option",
      "steps: [{tool: json-sorter}]\nexamples:\n  - {input: {data: a}, result: b}\n  - {input: {data: a, by: b}, result: b}",
      "4:5: examples[1] must be {input: {data: …}, result: …}",
    ],
    [
      "an example without a result",
      "steps: [{tool: json-sorter}]\nexamples: [{input: {data: a}}]",
      "2:12: examples",
    ],
    ["an example of null", "steps: [{tool: json-sorter}]\nexamples: [null]", "2:12: examples"],
  ])("%s", async (_, text, message) => {
    const error = await load(text).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ToolError);
    expect((error as ToolError).code).toBe("invalid_input");
    expect((error as ToolError).message).toContain(`conf/pipelines/house-json.yaml:${message}`);
  });

  test("columns count code points", async () => {
    await expect(load('title: "😀é"\nsteps: [{"tool": "😀"}]')).rejects.toThrow("yaml:2:18: ");
    await expect(load('{title: "😀é", steps: [{tool: x}]}')).rejects.toThrow("yaml:1:30: ");
  });

  test("a pipeline cannot be a step, not even of itself", async () => {
    const files = {
      "a.yaml": "steps: [{tool: json-sorter}, {tool: b}]",
      "b.yaml": "steps: [{tool: a}]",
      "c.yaml": "steps: [{tool: c}]",
    };
    const catalog = open(files);
    await expect(catalog.get("a")).rejects.toThrow(
      "conf/pipelines/a.yaml:1:37: Step 2: b is a pipeline, but a step must be a tool",
    );
    await expect(catalog.get("b")).rejects.toThrow("a is a pipeline");
    await expect(catalog.get("c")).rejects.toThrow("c is a pipeline");
  });

  test("a disabled tool cannot be a step", async () => {
    await expect(load(decode, "house-json", ["json-formatter"])).rejects.toThrow(
      "house-json.yaml:6:11: Step 2: json-formatter is switched off by tools.disabled; take the step out",
    );
  });
});

describe("a file with an invalid name is refused at once", () => {
  test.each([
    ["json-formatter.yaml", "json-formatter is a tool already"],
    ["json-sorter.yaml", "json-sorter is a tool already"],
    ["House.yaml", "lower-case letters"],
    ["a_b.yaml", "lower-case letters"],
    ["-a.yaml", "lower-case letters"],
    ["a--b.yaml", "lower-case letters"],
    ["a.b.yaml", "lower-case letters"],
    [`${"a".repeat(65)}.yaml`, "at most 64"],
    ["house.yml", "Rename it to house.yaml"],
    ["house.YAML", "Rename it to house.yaml"],
  ])("%s", (file, message) => {
    const act = () => open({ [file]: "steps: []" }, ["json-sorter"]);
    expect(act).toThrow(expect.objectContaining({ code: "invalid_input" }));
    expect(act).toThrow(`conf/pipelines/${file}: `);
    expect(act).toThrow(message);
  });
});

describe("a call of it", () => {
  const files = {
    "house-json.yaml": decode,
    "new-id.yaml":
      'steps: [{tool: uuid-generator, with: {version: "5", name: a.example}}, {tool: hex-encoder}]',
  };
  const principal = { kind: "local" } as const;

  async function call(slug: string, body: Body, more: Partial<ToolCall> = {}, inlineBytes = 65_536) {
    const catalog = open(files);
    const results: RunResult[] = [];
    let counted = 0;
    const runner = createRunner({
      catalog,
      admit: async (caller, requests): Promise<Ticket> => {
        counted += requests;
        return { principal: caller };
      },
      async isolate(away): Promise<Answer> {
        const { body: sent } = structuredClone(away);
        if (sent.kind !== "pipeline")
          return execute(await catalog.get(away.slug), { ...away, body: sent }, context);
        return toEnvelopeAnswer(await readEnvelope(sent.bytes, sent.named ? undefined : catalog.get));
      },
      context,
      inlineBytes,
      runtime: testRuntime({ monotonic: () => 0 }),
      observe: (result) => results.push(result),
    });
    const asked: ToolCall = { tool: await catalog.get(slug), body, form: "text", check: false, ...more };
    const answer = await runner
      .run(asked, await runner.admit(principal))
      .catch((error: unknown) => error as ToolError);
    return { answer, results, counted: () => counted };
  }

  const json = (value: unknown): Body => ({ kind: "json", bytes: Buffer.from(JSON.stringify(value)) });
  const raw = (text: string, options: [string, string][] = []): Body => ({
    kind: "raw",
    bytes: Buffer.from(text),
    text: true,
    options,
  });

  test.each<[string, Body, number]>([
    ["JSON", json({ data: "WzFd" }), 65_536],
    ["JSON that a worker reads", json({ data: "WzFd" }), 4],
    ["the document itself", raw("WzFd"), 65_536],
    ["values", { kind: "input", input: { data: "WzFd" } }, 65_536],
  ])("with %s", async (_, body, inlineBytes) => {
    const { answer, results, counted } = await call("house-json", body, {}, inlineBytes);
    expect(String((answer as Answer).body)).toBe("[\n 1\n]");
    expect(counted()).toBe(2);
    expect(results.map(({ slug, outcome }) => [slug, outcome])).toEqual([
      ["base64-decoder", "ok"],
      ["json-formatter", "ok"],
      ["house-json", "ok"],
    ]);
  });

  test.each<[string, Body]>([
    ["JSON", json({})],
    ["an empty body", raw("")],
  ])("without a document, with %s", async (_, body) => {
    const { answer } = await call("new-id", body);
    const text = Buffer.from("05149b90-bca9-5cf7-9708-f45959ecfde6").toString("hex");
    expect(String((answer as Answer).body)).toBe(text);
  });

  test("in check mode the last tool checks", async () => {
    const { answer } = await call("house-json", raw("WzFd"), { check: true });
    expect(answer).toMatchObject({ valid: false });
    expect((await call("new-id", raw(""), { check: true })).answer).toMatchObject({
      code: "invalid_input",
      details: { errors: [{ pointer: "/check" }] },
    });
  });

  test.each<[string, string, Body, string, string]>([
    ["an option of a step", "house-json", json({ data: "", indent: 2 }), "unknown_field", "/indent"],
    ["steps", "house-json", json({ data: "", steps: [] }), "unknown_field", "/steps"],
    ["no data", "house-json", json({}), "invalid_input", "/data"],
    ["data of another type", "house-json", json({ data: [] }), "invalid_input", "/data"],
    ["an option in the query", "house-json", raw("", [["indent", "2"]]), "unknown_field", "/indent"],
    ["data in the query", "house-json", raw("", [["data", "2"]]), "invalid_input", "/data"],
    ["a document that the tool does not read", "new-id", raw("x"), "invalid_input", "/data"],
    ["data that the tool does not read", "new-id", json({ data: "x" }), "invalid_input", "/data"],
    ["a fault in the document", "house-json", raw("e30x"), "invalid_document", "/steps/1"],
    ["a value", "house-json", { kind: "input", input: { data: 1 } }, "invalid_input", "/data"],
  ])("%s is refused", async (_, slug, body, code, pointer) => {
    const { answer, results } = await call(slug, body);
    expect(answer).toMatchObject({ code, details: { errors: [{ pointer }] } });
    expect(results.at(-1)).toMatchObject({ slug, outcome: code, outputBytes: 0 });
  });
});
