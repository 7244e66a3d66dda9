import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { describeError, ToolError } from "../../../src/catalog/errors.ts";
import { type Call, execute } from "../../../src/catalog/execute.ts";
import type { Principal, Ticket } from "../../../src/catalog/principal.ts";
import { createRunner, type RunResult } from "../../../src/catalog/run.ts";
import type { StepDocument } from "../../../src/catalog/run-pipeline.ts";
import { readEnvelope, toEnvelopeAnswer } from "../../../src/catalog/pipeline-envelope.ts";
import { tools } from "../../../src/tools/index.ts";
import { context } from "../tools/run-tool.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { testRuntime } from "../../support/runtime.ts";

const catalog = createCatalog(tools);

interface Given {
  left?: number;
  inlineBytes?: number;
  maxDocumentBytes?: number;
  /** Stands for a worker. */
  isolate?: (call: Call, signal: AbortSignal | undefined) => Promise<never> | undefined;
}

/** A runner whose workers are this thread, with what it counted, reported and passed to workers. */
function openRunner({ left = 1000, isolate, ...options }: Given = {}) {
  const results: RunResult[] = [];
  const away: Call[] = [];
  let used = 0;
  const runner = createRunner({
    catalog,
    async admit(principal: Principal, requests: number): Promise<Ticket> {
      if (used + requests > left) throw new ToolError("quota_exceeded", "Enough");
      used += requests;
      return { principal, quota: { limit: left, used, remaining: left - used, resetAt: 1 } };
    },
    async isolate(call, signal) {
      away.push(call);
      const instead = isolate?.(call, signal);
      if (instead !== undefined) return instead;
      const sent = structuredClone(call);
      if (sent.body.kind !== "pipeline") return execute(await catalog.get(sent.slug), sent, context);
      const find = sent.body.named ? undefined : catalog.get;
      return structuredClone(toEnvelopeAnswer(await readEnvelope(sent.body.bytes, find)));
    },
    context,
    inlineBytes: 65_536,
    runtime: testRuntime({ monotonic: () => 0 }),
    observe: (result) => results.push(result),
    ...options,
  });
  return { runner, results, away, used: () => used };
}

const principal = { kind: "anonymous", ip: "192.0.2.1" } as const;

interface Asked {
  check?: boolean;
  form?: "json" | "text" | "bytes";
  signal?: AbortSignal;
  given?: Given;
}

async function run(body: unknown, { check = false, form = "text", signal, given }: Asked = {}) {
  const opened = openRunner(given);
  const ticket = await opened.runner.admit(principal);
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const answer = await opened.runner.runPipeline(
    { source: { kind: "json", bytes }, form, check },
    ticket,
    signal,
  );
  return { ...answer, ...opened, ticket };
}

async function refusal(body: unknown, asked?: Asked) {
  try {
    await run(body, asked);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { code: error.code, message: describeError(error), ...error.details };
  }
  throw new Error("It was not refused");
}

describe("steps", () => {
  test.each<[string, unknown, string]>([
    ["one", { data: "[1]", steps: [{ tool: "json-formatter" }] }, "[\n  1\n]"],
    [
      "the result of each is the document of the next",
      {
        data: "eyJiIjoxLjAsImEiOjEyMzQ1Njc4OTAxMjM0NTY3ODkwfQ==",
        steps: [
          { tool: "base64-decoder" },
          { tool: "json-sorter" },
          { tool: "json-formatter", with: { indent: 1 } },
        ],
      },
      '{\n "a": 12345678901234567890,\n "b": 1.0\n}',
    ],
    [
      "bytes that are no text go on to a tool that takes bytes",
      { data: "/w==", steps: [{ tool: "base64-decoder" }, { tool: "hash-generator" }] },
      "a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89",
    ],
    [
      "a report goes on as its JSON text",
      {
        data: "{",
        steps: [{ tool: "json-validator" }, { tool: "json-query", with: { query: "$.valid" } }],
      },
      "[\n  false\n]",
    ],
    [
      "the first may be a tool that takes no document",
      {
        steps: [
          { tool: "uuid-generator", with: { version: "5", name: "a.example" } },
          { tool: "case-converter", with: { to: "upper" } },
        ],
      },
      "05149B90-BCA9-5CF7-9708-F45959ECFDE6",
    ],
    [
      "half a surrogate pair stays what it is",
      {
        data: "\ud800a",
        steps: [
          { tool: "case-converter", with: { to: "upper" } },
          { tool: "string-escaper", with: { language: "json", ascii: true } },
        ],
      },
      "\\ud800A",
    ],
    [
      "a JSON value among the options is taken as it is written",
      {
        data: "12345678901234567891",
        steps: [
          { tool: "json-schema-validator", with: { schema: { maximum: 1 } } },
          { tool: "json-query", with: { query: "$.errors[*].message" } },
        ],
      },
      '[\n  "Must be at most 1."\n]',
    ],
  ])("%s", async (_, body, result) => {
    expect(String((await run(body)).body)).toBe(result);
  });

  test("numbers of a JSON value keep their digits, in a body for a worker too", async () => {
    const steps = `[{"tool":"json-schema-validator","with":{"schema":{"maximum":12345678901234567890}}}]`;
    for (const [data, away] of [
      ["12345678901234567891", 0],
      [`12345678901234567891${" ".repeat(70_000)}`, 2],
    ] as const) {
      const answer = await run(`{"data":"${data}","steps":${steps}}`, {});
      expect(String(answer.body)).toContain("Must be at most 12345678901234567890.");
      expect(answer.away.filter(({ body }) => body.kind === "pipeline")).toHaveLength(away / 2);
    }
  });

  test("the result has the requested form", async () => {
    const body = { data: "/w==", steps: [{ tool: "base64-decoder" }] };
    expect((await run(body, { form: "bytes" })).body).toEqual(Buffer.from([0xff]));
    expect(await refusal(body)).toMatchObject({
      code: "invalid_document",
      message: expect.stringMatching(/^Step 1 \(base64-decoder\): The result is not UTF-8/),
      errors: [{ pointer: "/steps/0" }],
    });
    const text = { data: "YQ==", steps: [{ tool: "base64-decoder" }] };
    expect((await run(text, { form: "json" })).body).toBe('{"result":"a"}');
  });

  test("check mode is that of the last step", async () => {
    const steps = [{ tool: "base64-decoder" }, { tool: "json-formatter" }];
    const good = await run({ data: Buffer.from("[]\n").toString("base64"), steps }, { check: true });
    expect(good.valid).toBe(true);
    const changed = await run({ data: Buffer.from("[1]").toString("base64"), steps }, { check: true });
    expect(changed.valid).toBe(false);
    expect(JSON.parse(String(changed.body))).toMatchObject({ errors: [{ line: 1, column: 2 }] });
    const refused = await refusal({ data: "", steps: [{ tool: "base64-encoder" }] }, { check: true });
    expect(refused).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("base64-encoder, has no check mode"),
      errors: [{ pointer: "/check" }],
    });
  });
});

const format = { tool: "json-formatter" };

describe("a malformed call is refused before anything runs", () => {
  test.each<[string, unknown, string, string, RegExp]>([
    ["no JSON", '{"data": x}', "bad_json", "/data", /line 1, column 10/],
    ["no object", "[]", "invalid_input", "", /fields data and steps/],
    ["an unknown field", { data: "", step: [] }, "unknown_field", "/step", /Did you mean steps\?/],
    ["a field twice", '{"data":"","data":"","steps":[]}', "invalid_input", "/data", /given twice/],
    ["data that is no string", { data: 1, steps: [format] }, "invalid_input", "/data", /a string/],
    ["no data", { steps: [format] }, "invalid_input", "/data", /required/],
    [
      "data for nothing",
      { data: "", steps: [{ tool: "uuid-generator" }] },
      "invalid_input",
      "/data",
      /takes no document/,
    ],
    ["no steps", { data: "" }, "invalid_input", "/steps", /required/],
    [
      "steps that are no list",
      { data: "", steps: {} },
      "invalid_input",
      "/steps",
      /^steps must be an array such as /,
    ],
    [
      "steps of null",
      { data: "", steps: null },
      "invalid_input",
      "/steps",
      /^steps must be an array such as /,
    ],
    [
      "zero steps",
      { data: "", steps: [] },
      "invalid_input",
      "/steps",
      /^steps must have at least one step\.$/,
    ],
    [
      "21 steps",
      { data: "", steps: Array.from({ length: 21 }, () => format) },
      "invalid_input",
      "/steps",
      /at most 20 steps, got 21/,
    ],
    [
      "a step that is none",
      { data: "", steps: [format, "x"] },
      "invalid_input",
      "/steps/1",
      /^Step 2: .*object/,
    ],
    ["a step of null", { data: "", steps: [null] }, "invalid_input", "/steps/0", /object/],
    ["a step without a tool", { data: "", steps: [{}] }, "invalid_input", "/steps/0/tool", /required/],
    ["a tool that is no name", { data: "", steps: [{ tool: 1 }] }, "invalid_input", "/steps/0/tool", /slug/],
    [
      "an unknown field of a step",
      { data: "", steps: [{ tool: "json-formatter", wiht: {} }] },
      "unknown_field",
      "/steps/0/wiht",
      /Did you mean with\?/,
    ],
    [
      "__proto__ in a step",
      '{"data":"","steps":[{"tool":"json-formatter","__proto__":{}}]}',
      "unknown_field",
      "/steps/0/__proto__",
      /Unknown field/,
    ],
    [
      "a field of a step twice",
      '{"data":"","steps":[{"tool":"json-formatter"},\n{"tool":"json-formatter","\\u0074ool":"json-sorter"}]}',
      "invalid_input",
      "/steps/1/tool",
      /^Step 2: A field is given twice.*line 2, column 26/,
    ],
    [
      "an option twice",
      '{"data":"","steps":[{"tool":"json-formatter","with":{"indent":1,"indent":2}}]}',
      "invalid_input",
      "/steps/0/with/indent",
      /given twice/,
    ],
    [
      "with of null",
      { data: "", steps: [{ ...format, with: null }] },
      "invalid_input",
      "/steps/0/with",
      /object/,
    ],
    [
      "with of a list",
      { data: "", steps: [{ ...format, with: [] }] },
      "invalid_input",
      "/steps/0/with",
      /object/,
    ],
    [
      "an unknown tool",
      { data: "", steps: [format, { tool: "json-formater" }] },
      "unknown_tool",
      "/steps/1/tool",
      /^Step 2: .*Did you mean json-formatter\?/,
    ],
    [
      "constructor for a tool",
      { data: "", steps: [{ tool: "constructor" }] },
      "unknown_tool",
      "/steps/0/tool",
      /no tool/,
    ],
    [
      "an unknown option",
      { data: "", steps: [format, format, { ...format, with: { indnt: 2 } }] },
      "unknown_field",
      "/steps/2/with/indnt",
      /^Step 3 \(json-formatter\): .*Did you mean indent\?/,
    ],
    [
      "an option of another type",
      { data: "", steps: [{ ...format, with: { indent: "2" } }] },
      "invalid_input",
      "/steps/0/with/indent",
      /indent must be an integer, got a string\./,
    ],
    [
      "an option out of range",
      { data: "", steps: [{ ...format, with: { indent: 11 } }] },
      "invalid_input",
      "/steps/0/with/indent",
      /indent must be 0 to 10, got 11\./,
    ],
    [
      "an option that is missing",
      { data: "", steps: [{ tool: "regex-tester" }] },
      "invalid_input",
      "/steps/0/with/pattern",
      /pattern is required\./,
    ],
    [
      "data among the options",
      { data: "", steps: [{ ...format, with: { data: "1" } }] },
      "invalid_input",
      "/steps/0/with/data",
      /leave this field out/,
    ],
    [
      "a tool without a document in the middle",
      { data: "1", steps: [format, { tool: "uuid-generator" }] },
      "invalid_input",
      "/steps/1/tool",
      /takes no document.*first step/,
    ],
  ])("%s", async (_, body, code, pointer, message) => {
    const opened = openRunner();
    const ticket = await opened.runner.admit(principal);
    for (const padding of ["", " ".repeat(70_000)]) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const refused = await refusal(text + padding);
      expect(refused).toMatchObject({ code, message: expect.stringMatching(message) });
      expect(refused.errors?.[0]?.pointer).toBe(pointer);
    }
    const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
    const call = { source: { kind: "json", bytes }, form: "text", check: false } as const;
    await expect(opened.runner.runPipeline(call, ticket)).rejects.toBeInstanceOf(ToolError);
    // Nothing ran, and only the call itself was counted.
    expect([opened.results, opened.used()]).toEqual([[], 1]);
  });

  test("a long name is truncated in the message", async () => {
    const name = "x".repeat(50_000);
    for (const step of [{ tool: name }, { [name]: 1 }, { ...format, with: { [name]: 1 } }]) {
      expect((await refusal({ data: "", steps: [step] })).message.length).toBeLessThan(300);
    }
  });
});

describe("an error during the run names the step", () => {
  test("of a document, with its place in it", async () => {
    const steps = [{ tool: "base64-decoder" }, format];
    const data = Buffer.from('{\n  "é": [1 2]\n}').toString("base64");
    const refused = await refusal({ data, steps });
    expect(refused).toMatchObject({
      code: "invalid_document",
      message: expect.stringMatching(/^Step 2 \(json-formatter\): /),
      errors: [{ line: 2, column: 11, offset: 13, pointer: expect.stringMatching(/^\/steps\/1\/data\//) }],
    });
  });

  test("of bytes that the next tool cannot read, with their place", async () => {
    expect(
      await refusal({ data: "YQr/", steps: [{ tool: "base64-decoder" }, { tool: "line-sorter" }] }),
    ).toMatchObject({
      code: "invalid_document",
      message: expect.stringMatching(/^Step 2 \(line-sorter\): .*UTF-8/),
      errors: [{ line: 2, column: 1, offset: 2, pointer: "/steps/1" }],
    });
  });

  test("of an option that its tool refuses", async () => {
    const steps = [{ tool: "hash-generator", with: { outputLength: 8 } }];
    expect(await refusal({ data: "", steps })).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/^Step 1 \(hash-generator\): outputLength: /),
      errors: [{ pointer: "/steps/0/with/outputLength" }],
    });
  });

  test("of a second document: in its own text, or in the body if it was a JSON value there", async () => {
    const step = (schema: unknown) => ({ tool: "json-schema-validator", with: { schema } });
    const text = await refusal({ data: "1", steps: [step('{"type":\n"strin"}')] });
    expect(text).toMatchObject({
      code: "invalid_document",
      errors: [{ field: "schema", pointer: "/steps/0/with/schema/type", line: 2, column: 1, offset: 9 }],
    });
    const body =
      '{"data":"1","steps":[{"tool":"json-schema-validator",\n"with":{"schema":{"type":"strin"}}}]';
    for (const padding of ["}", `}${" ".repeat(70_000)}`]) {
      const value = await refusal(body + padding);
      const offset = body.indexOf('"strin"');
      expect(value.errors).toMatchObject([
        { field: "schema", pointer: "/steps/0/with/schema/type", line: 2, column: 26, offset },
      ]);
      expect(value.message).toMatch(/^Step 1 \(json-schema-validator\): schema: .*\(line 2, column 26\)$/);
    }
  });

  test("a deadline", async () => {
    const isolate = () => Promise.reject(new ToolError("deadline_exceeded", "Stopped", { limit: 5 }));
    const steps = [format, { tool: "regex-tester", with: { pattern: "a" } }];
    expect(await refusal({ data: "1", steps }, { given: { isolate } })).toMatchObject({
      code: "deadline_exceeded",
      message: "Step 2 (regex-tester): Stopped",
      limit: 5,
      errors: [{ message: "Stopped", pointer: "/steps/1" }],
    });
  });

  test("a bug is reported as a bug", async () => {
    const isolate = () => Promise.reject(new TypeError("a bug"));
    const steps = [{ tool: "regex-tester", with: { pattern: "a" } }];
    await expect(run({ data: "1", steps }, { given: { isolate } })).rejects.toBeInstanceOf(TypeError);
  });
});

describe("counting", () => {
  const three = { data: "[]", steps: [format, { tool: "json-minifier" }, format] };

  test("one request per step, and the quota of the ticket is updated", async () => {
    const { used, ticket, results } = await run(three, { given: { left: 10 } });
    expect(used()).toBe(3);
    expect(ticket.quota).toMatchObject({ used: 3, remaining: 7 });
    expect(results.map(({ slug, outcome }) => [slug, outcome])).toEqual([
      ["json-formatter", "ok"],
      ["json-minifier", "ok"],
      ["json-formatter", "ok"],
    ]);
  });

  test("if the steps do not all fit, none runs and only the call itself was counted", async () => {
    const opened = openRunner({ left: 2 });
    const ticket = await opened.runner.admit(principal);
    const source = { kind: "json", bytes: Buffer.from(JSON.stringify(three)) } as const;
    const running = opened.runner.runPipeline({ source, form: "text", check: false }, ticket);
    await expect(running).rejects.toMatchObject({ code: "quota_exceeded", message: "Enough" });
    expect([opened.used(), opened.results]).toEqual([1, []]);
    expect(ticket.quota).toMatchObject({ remaining: 1 });
  });

  test("a ticket is valid for one pipeline", async () => {
    const { runner, ticket } = await run(three);
    const source = { kind: "json", bytes: Buffer.from("{}") } as const;
    await expect(runner.runPipeline({ source, form: "text", check: false }, ticket)).rejects.toThrow(
      "ticket",
    );
  });
});

describe("bounds", () => {
  test("an intermediate result may have up to the limit in bytes; the last may be larger", async () => {
    const twice = { tool: "hex-encoder" };
    const given = { maxDocumentBytes: 16 };
    expect((await run({ data: "12345678", steps: [twice, twice] }, { given })).body.length).toBe(32);
    const refused = await refusal({ data: "123456789", steps: [twice, twice] }, { given });
    expect(refused).toMatchObject({
      code: "invalid_document",
      message: expect.stringMatching(
        /^Step 1 \(hex-encoder\): The result has 18 bytes; the next step takes at most 16/,
      ),
      limit: 16,
      errors: [{ pointer: "/steps/0" }],
    });
    // In bytes, not in characters.
    const text = { data: "éééééé", steps: [{ tool: "line-sorter" }, twice] };
    expect((await run(text, { given })).body.length).toBe(24);
    expect(await refusal({ ...text, data: "ééééééééé" }, { given })).toMatchObject({ limit: 16 });
  });

  test("when the caller disconnects, the running step is aborted, and the next does not start", async () => {
    const caller = new AbortController();
    const began: (AbortSignal | undefined)[] = [];
    const isolate = (_: Call, signal: AbortSignal | undefined) => {
      began.push(signal);
      caller.abort();
      return undefined;
    };
    const slow = { tool: "regex-tester", with: { pattern: "a" } };
    const opened = openRunner({ isolate });
    const source = {
      kind: "json",
      bytes: Buffer.from(JSON.stringify({ data: "", steps: [slow, slow] })),
    } as const;
    const ticket = await opened.runner.admit(principal);
    const running = opened.runner.runPipeline({ source, form: "text", check: false }, ticket, caller.signal);
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    expect(began).toEqual([caller.signal]);
    expect(opened.results).toHaveLength(1);
  });
});

describe("a step runs on the event loop or in a worker by the same rule as a call", () => {
  test.each<[string, unknown, string[]]>([
    ["small work stays", { data: "[]", steps: [format, format] }, []],
    [
      "an isolated tool goes",
      { data: "[]", steps: [format, { tool: "json-sorter" }, format] },
      ["json-sorter"],
    ],
    [
      "a large document goes, and its envelope before it",
      { data: JSON.stringify(["x".repeat(70_000)]), steps: [format, { tool: "json-minifier" }] },
      ["", "json-formatter", "json-minifier"],
    ],
    [
      "a small body may have grown in between",
      { data: `[${"1,".repeat(20_000)}1]`, steps: [format, { tool: "json-minifier" }] },
      ["json-minifier"],
    ],
  ])("%s", async (_, body, slugs) => {
    const { away } = await run(body);
    expect(away.map(({ slug }) => slug)).toEqual(slugs);
  });
});

test("a step returns what a separate call would, wherever it runs", async () => {
  const chain = fc.constantFrom(
    { tool: "json-formatter", with: { indent: 3 } },
    { tool: "json-minifier" },
    { tool: "json-sorter" },
    { tool: "json-validator" },
    { tool: "base64-encoder", with: { lineLength: 16 } },
    { tool: "base64-decoder" },
    { tool: "hex-encoder" },
    { tool: "hash-generator", with: { algorithm: "md5" } },
    { tool: "line-sorter", with: { order: "desc" } },
    { tool: "url-encoder" },
    { tool: "json-to-yaml" },
    { tool: "yaml-to-json" },
  );
  const documents = fc.oneof(
    fc.json(),
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  );
  const steps = fc.array(chain, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(documents, steps, fc.constantFrom(1, 20, 65_536), async (data, list, inlineBytes) => {
      const given = { inlineBytes };
      const together = await run({ data, steps: list }, { form: "bytes", given }).then(
        ({ body }) => Buffer.from(body as string).toString("hex"),
        (error: ToolError) => error.code,
      );
      expect(together).toBe(await oneByOne(data, list));
    }),
    { numRuns: 80 },
  );
});

/** The same as calls, each with the bytes of the last answer as its body. */
async function oneByOne(data: string, steps: readonly { tool: string; with?: object }[]): Promise<string> {
  let document: Uint8Array = Buffer.from(data);
  try {
    for (const step of steps) {
      const tool = await catalog.get(step.tool);
      const options = Object.entries(step.with ?? {}).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const text = tool.runBytes === undefined;
      const body = { kind: "raw", bytes: document, text, options } as const;
      const answer = await execute(
        tool,
        { body: { ...body, options }, form: "bytes", check: false },
        context,
      );
      document = typeof answer.body === "string" ? Buffer.from(answer.body) : answer.body;
    }
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
  return Buffer.from(document).toString("hex");
}

test("an observer receives the input of each step", async () => {
  const seen: StepDocument[] = [];
  const { runner } = openRunner();
  const steps = [
    { tool: "base64-decoder", with: {} },
    { tool: "json-minifier", with: {} },
  ];
  const source = { kind: "steps", steps, document: Buffer.from("WyAxIF0=") } as const;
  const watch = (document: StepDocument) => void seen.push(document);
  const call = { source, form: "text", check: false, watch } as const;
  expect(String((await runner.runPipeline(call, await runner.admit(principal))).body)).toBe("[1]");
  expect(seen.map((document) => Buffer.from(document as Uint8Array).toString())).toEqual([
    "WyAxIF0=",
    "[ 1 ]",
  ]);
});
