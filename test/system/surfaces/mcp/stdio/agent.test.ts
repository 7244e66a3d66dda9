import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { penknife } from "../../../cli/host.ts";
import { catalog, createHereRunner, makeRoot, openAgent } from "./agent.ts";

interface Listed {
  name: string;
  annotations: Record<string, boolean>;
  inputSchema: { properties: Record<string, unknown> };
}

const listOf = async (agent: ReturnType<typeof openAgent>): Promise<Listed[]> =>
  (await agent.ask("tools/list")).result?.["tools"] as Listed[];

test("offers four tools in at most 1,200 tokens, and says truly which of them only read", async () => {
  const file = new URL("../clients/node_modules/gpt-tokenizer/esm/encoding/o200k_base.js", import.meta.url)
    .href;
  const { encode } = (await import(file)) as { encode(text: string): number[] };
  for (const allowWrite of [false, true]) {
    const tools = await listOf(openAgent({ root: makeRoot(), allowWrite }));
    expect(tools.map(({ name, annotations }) => [name, annotations["readOnlyHint"]])).toEqual([
      ["run_tool", !allowWrite],
      ["find_tools", true],
      ["run_pipeline", !allowWrite],
      ["check_files", true],
    ]);
    expect("out_file" in (tools[0]?.inputSchema.properties ?? {})).toBe(allowWrite);
    expect(encode(JSON.stringify(tools)).length).toBeLessThanOrEqual(1200);
  }
});

test("formats a file of 5 MB into another one, and neither enters the context", async () => {
  const items = Array.from(
    { length: 120_000 },
    (_, index) => `{"id":${index},"value":1e400,"text":"marker"}`,
  );
  const document = `[${items.join(",")}]`;
  const root = makeRoot({ "big.json": document });
  const agent = openAgent({ root, allowWrite: true });
  expect(document.length).toBeGreaterThan(5_000_000);
  const { text, isError } = await agent.call("run_tool", {
    slug: "json-formatter",
    input: { indent: 1 },
    file: "big.json",
    out_file: "out.json",
  });
  const written = readFileSync(join(root, "out.json"), "utf8");
  expect([text, isError]).toEqual([`Wrote ${written.length} bytes to "out.json".`, false]);
  expect(written.startsWith('[\n {\n  "id": 0,\n  "value": 1e400,\n')).toBe(true);
  expect(agent.output()).not.toContain("marker");
  const shown = await agent.call("run_tool", { slug: "json-minifier", file: "big.json" });
  expect(shown.text).toMatch(/^The result has \d+ bytes, too many for one answer\..* Set out_file/);
  expect(agent.output().length).toBeLessThan(30_000);
});

test("the second document of a tool keeps its digits beside a file", async () => {
  const agent = openAgent({ root: makeRoot({ "a.json": "1e401" }) });
  agent.write(
    '{"jsonrpc":"2.0","id":"digits","method":"tools/call","params":{"name":"run_tool","arguments":{"slug":"json-schema-validator","file":"a.json","input":{"schema":{"maximum":1e400}}}}}',
  );
  await vi.waitFor(() => expect(agent.others()).toHaveLength(1), { timeout: 60_000 });
  expect(JSON.stringify(agent.others()[0])).toContain("Must be at most 1e400.");
});

test("bytes go from a file into a file as they are", async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const root = makeRoot({ "a.bin": bytes });
  const agent = openAgent({ root, allowWrite: true });
  const encoded = await agent.call("run_tool", { slug: "base64-encoder", file: "a.bin", out_file: "a.txt" });
  expect(encoded.isError).toBe(false);
  await agent.call("run_tool", { slug: "base64-decoder", file: "a.txt", out_file: "b.bin" });
  expect(Uint8Array.from(readFileSync(join(root, "b.bin")))).toEqual(bytes);
  const refused = await agent.call("run_tool", { slug: "json-formatter", file: "a.bin" });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("UTF-8") as string });
});

test("a pipeline reads and writes files, and reports how far it is", async () => {
  const root = makeRoot({ "a.txt": Buffer.from('{"b":1,"a":2}').toString("base64") });
  const agent = openAgent({ root, allowWrite: true });
  const steps = [{ tool: "base64-decoder" }, { tool: "json-formatter", with: { sortKeys: true, indent: 1 } }];
  const { text } = await agent.call("run_pipeline", { steps, file: "a.txt", out_file: "b.json" });
  expect(text).toBe('Wrote 20 bytes to "b.json".');
  expect(readFileSync(join(root, "b.json"), "utf8")).toBe('{\n "a": 2,\n "b": 1\n}');
  expect((await agent.call("run_pipeline", { steps, data: "W10=" })).text).toBe("[]");
});

test.each([
  [
    { slug: "json-formatter", file: "missing.json" },
    '"missing.json" cannot be opened: there is no such file.',
  ],
  [{ slug: "json-formatter", file: "../../../../unit/surfaces/mcp/a.json" }, "outside of the folder"],
  [{ slug: "json-formatter", file: 7 }, "file must be the name of a file"],
  [{ slug: "json-formatter", file: "a.json", input: { data: "x" } }, "as data or as file, not both"],
  [{ slug: "json-formatter", file: "a.json", input: { indnt: 2 } }, "Did you mean indent?"],
  [{ slug: "json-formater", file: "a.json" }, "Did you mean json-formatter?"],
  [{ slug: "json-formatter", file: "a.json", out_file: "b.json" }, "Unknown field"],
  [{ slug: "json-formatter", file: "bad.json" }, "line 1, column 5"],
])("%j is a result that says what to change", async (args, message) => {
  const agent = openAgent({ root: makeRoot({ "a.json": "1", "bad.json": "[1, ?]" }) });
  const { text, isError } = await agent.call("run_tool", args);
  expect([isError, text]).toEqual([true, expect.stringContaining(message)]);
});

test("checks files by the list of the repository, or with one tool", async () => {
  const outside = makeRoot({ "secret.json": "{" });
  const root = makeRoot({
    "penknife.checks.yaml":
      "checks:\n  - tool: json-validator\n    files: ['**/*.json']\n  - tool: yaml-validator\n    files: ['*.yaml']\n",
    "a.json": "{",
    "sub/b.json": "[]",
    "sub/c.yaml": "a: [",
  });
  symlinkSync(outside, join(root, "out"));
  symlinkSync(join(outside, "secret.json"), join(root, "secret.json"));
  const agent = openAgent({ root });
  const all = await agent.call("check_files", {});
  expect(all.text).toMatch(/^a\.json:1:2: .* \(json-validator\/truncated\)\n3 files checked, 1 finding\./);
  const one = await agent.call("check_files", { files: ["sub"], tool: "yaml-validator" });
  expect(one.text).toMatch(/^sub\/b\.json|sub\/c\.yaml:1:\d+: /);
  for (const name of ["../../../../unit/surfaces/mcp/x", "out/secret.json", outside, "-", ""])
    expect((await agent.call("check_files", { files: [name], tool: "json-validator" })).text).not.toMatch(
      /secret\.json:1/,
    );
  expect(agent.output()).not.toContain("secret.json:1");
});

test("leaves out the findings of the baseline that the list names, and does not check it", async () => {
  const root = makeRoot({
    "penknife.checks.yaml": "baseline: known.json\nchecks:\n  - { tool: json-validator, files: '*.json' }\n",
    "a.json": "{",
  });
  await penknife(["check", "--write-baseline"], { cwd: root });
  const agent = openAgent({ root });
  expect((await agent.call("check_files", {})).text).toBe("1 file checked, 0 findings, 1 in the baseline.");
  writeFileSync(join(root, "b.json"), "[");
  expect((await agent.call("check_files", {})).text).toMatch(
    /^b\.json:1:2: .*\n2 files checked, 1 finding, 1 in the baseline\.$/,
  );
});

test("leaves out the findings that comments ignore, and counts them", async () => {
  const root = makeRoot({
    "penknife.checks.yaml":
      "checks:\n  - {tool: yaml-validator, files: ['a.yaml'], with: {lint: [truthy]}}\n",
    "a.yaml": "# penknife-ignore yaml-validator/truthy as the program wants it\non: 1\n",
  });
  expect((await openAgent({ root }).call("check_files", {})).text).toBe(
    "1 file checked, 0 findings, 1 ignored by comments.",
  );
});

test("a run that is cancelled gets no answer, and others do", async () => {
  const runner = createHereRunner();
  const started = Promise.withResolvers<void>();
  const agent = openAgent({
    root: makeRoot(),
    runner: {
      ...runner,
      async run(call, ticket, signal) {
        if (call.tool.slug !== "json-sorter") return runner.run(call, ticket, signal);
        started.resolve();
        return new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("stopped")));
        });
      },
    },
  });
  const endless = { name: "run_tool", arguments: { slug: "json-sorter", input: { data: "[]" } } };
  void agent.ask("tools/call", endless, "endless");
  await started.promise;
  agent.write(
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"endless","reason":"no need"}}',
  );
  agent.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}');
  agent.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}');
  expect((await agent.call("run_tool", { slug: "json-minifier", input: { data: "[ ]" } })).text).toBe("[]");
  await agent.end();
  expect(agent.output()).not.toContain("endless");
  expect(agent.faults).toEqual([]);
});

test("malformed messages get an error each, and the next message is answered", async () => {
  const agent = openAgent({ root: makeRoot() });
  const long = "x".repeat(1_000_000);
  const broken = [
    ["{", -32_700],
    ["[]", -32_600],
    ["7", -32_600],
    ['{"id":77}', -32_600],
    [`{"jsonrpc":"2.0","id":"${long}","method":"ping"}`, -32_600],
    ["[".repeat(200_000), -32_600],
    ["\u0000\u0001", -32_700],
  ] as const;
  for (const [line] of broken) agent.write(line);
  agent.write("\n\n\r");
  await agent.ask("tools/list");
  expect(agent.others().map(({ error }) => error?.code)).toEqual(broken.map(([, code]) => code));
  expect(agent.output().length).toBeLessThan(30_000);
  expect(agent.faults).toEqual([]);
});

test("two hundred calls at once get their own answers", async () => {
  const agent = openAgent({ root: makeRoot() });
  const texts = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const { text } = await agent.call("run_tool", {
        slug: "json-minifier",
        input: { data: `[ ${index} ]` },
      });
      return text;
    }),
  );
  expect(texts).toEqual(texts.map((_, index) => `[${index}]`));
});

test("what was asked before the input ended is answered", async () => {
  const agent = openAgent({ root: makeRoot() });
  await agent.ask("tools/list");
  const asked = agent.call("run_tool", { slug: "json-minifier", input: { data: "[ 1 ]" } });
  await agent.end();
  expect((await asked).text).toBe("[1]");
});

test("a selection offers typed tools, and refuses unknown names before anything is served", async () => {
  const agent = openAgent({ root: makeRoot(), selection: "jwt,json-formatter" });
  expect((await listOf(agent)).map(({ name }) => name)).toEqual([
    "json-formatter",
    "jwt-decoder",
    "jwt-generator",
    "jwt-verifier",
    "check_files",
  ]);
});

test("every tool of the catalogue is a slug of run_tool", async () => {
  const [run] = (await listOf(openAgent({ root: makeRoot() }))) as (Listed & { description: string })[];
  for (const slug of catalog.slugs) expect(run?.description).toContain(slug);
});

test("a file that changes size while it is read is no fault of the server", async () => {
  const root = makeRoot({ "a.json": "[1]" });
  const agent = openAgent({ root });
  writeFileSync(join(root, "a.json"), "[1,2,3]");
  expect((await agent.call("run_tool", { slug: "json-minifier", file: "a.json" })).text).toBe("[1,2,3]");
});
