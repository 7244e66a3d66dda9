import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  call,
  callTool,
  emptyFolder,
  issueKey,
  penknife,
  type Reply,
  type Server,
  serve,
} from "./harness.ts";

const folder = emptyFolder();
let server: Server;
let key: string;

const house = `title: House JSON
summary: Decode base64, sort and format the JSON that is in it.
version: "1.4.0"
steps:
  - tool: base64-decoder
  - tool: json-sorter
  - tool: json-formatter
    with: { indent: 1 }
examples:
  - input: { data: "eyJiIjoxLCJhIjoyfQ==" }
    result: "{\\n \\"a\\": 2,\\n \\"b\\": 1\\n}"
`;

function install(path: string, pipelines: Record<string, string>, config = ""): void {
  mkdirSync(join(path, "pipelines"), { recursive: true });
  writeFileSync(join(path, "penknife.yaml"), config);
  for (const [name, text] of Object.entries(pipelines)) writeFileSync(join(path, "pipelines", name), text);
}

beforeAll(async () => {
  // On a busy machine, a worker may take seconds to load a tool.
  install(folder.path, { "house-json.yaml": house }, "tools:\n  deadlineMs: 60000\n");
  server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "60000" });
  key = await issueKey(folder.path, "ci", "team");
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

const run = (body: unknown, as = key, { url } = server): Promise<Reply> =>
  call(`${url}/api/pipelines/run`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${as}` },
    body: JSON.stringify(body),
  });
const left = ({ headers }: Reply): string => String(headers["x-ratelimit-remaining"]);
const format = { tool: "json-formatter" };
const endless = { tool: "regex-tester", with: { pattern: "^(a|a)*$", engine: "js" } };
const residentMiB = async (): Promise<number> => {
  const { text } = await call(`${server.url}/metrics`);
  return Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]) / 1_048_576;
};

describe("counting", () => {
  it("counts one request per step, also after a restart", async () => {
    const own = await issueKey(folder.path, "counted");
    expect(left(await run({ data: "[]", steps: [format, format, format] }, own))).toBe("997");
    expect(left(await callTool(server, "house-json", { data: "W10=" }, own))).toBe("994");
    const twenty = { data: "[]", steps: Array.from({ length: 20 }, () => format) };
    for (let calls = 0; calls < 49; calls++) await run(twenty, own);
    expect(left(await callTool(server, "json-formatter", { data: "[]" }, own))).toBe("13");
    const refused = await run(twenty, own);
    expect([refused.status, left(refused)]).toEqual([429, "12"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);

    const usage = await penknife(folder.path, ["admin", "usage", "--account", "counted", "--json"]);
    expect(usage.stdout).toMatch(/"used": 988/);
    await server.stop();
    server = await serve(folder.path);
    expect(left(await run({ data: "[]", steps: [format, format] }, own))).toBe("10");
  });
});

describe("hostile pipelines", () => {
  it("gives each step its own deadline, and answers the others meanwhile", async () => {
    const steps = Array.from({ length: 20 }, () => endless);
    const started = performance.now();
    const other = emptyFolder();
    const hasty = await serve(other.path, { PENKNIFE_TOOLS_DEADLINE_MS: "1000" });
    onTestFinished(async () => {
      await hasty.stop();
      other.remove();
    });
    const pro = await issueKey(other.path, "ci", "team");
    let ended = false;
    const bomb = run({ data: `${"a".repeat(50)}!`, steps }, pro, hasty).finally(() => (ended = true));
    const reply = await callTool(hasty, "json-minifier", { data: "[1, 2]" }, pro);
    expect([reply.status, ended]).toEqual([200, false]);
    const stopped = await bomb;
    expect([stopped.status, JSON.parse(stopped.text)]).toMatchObject([
      504,
      { code: "deadline_exceeded", detail: expect.stringContaining("Step 1 (regex-tester)") },
    ]);
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it("limits a document that grows from step to step", async () => {
    const steps = Array.from({ length: 20 }, () => ({ tool: "base64-encoder" }));
    const data = "x".repeat(5_000_000);
    await run({ data, steps });
    const before = await residentMiB();
    for (const reply of await Promise.all(Array.from({ length: 4 }, () => run({ data, steps })))) {
      // 5 MB grow by a third each time: the third result is beyond 10 MiB.
      expect([reply.status, JSON.parse(reply.text)]).toMatchObject([
        422,
        { code: "invalid_document", limit: 10_485_760, errors: [{ pointer: "/steps/2" }] },
      ]);
    }
    expect((await residentMiB()) - before).toBeLessThan(256);
  });

  it("refuses megabytes of steps at once", async () => {
    for (const text of [
      `{"data":"","steps":[${"{},".repeat(40_000)}{}]}`,
      `{"data":"","steps":[${"{},".repeat(1_000_000)}{}]}`,
      `{"data":"","steps":[{"tool":"${"x".repeat(1_000_000)}"}]}`,
      `{"data":"","steps":[{"tool":"json-formatter","with":{${Array.from({ length: 90_000 }, (_, index) => `"${index}":1`).join(",")}}}]}`,
      `{"data":"","steps":${"[".repeat(500_000)}`,
    ]) {
      const started = performance.now();
      const reply = await call(`${server.url}/api/pipelines/run`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
        body: text,
      });
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.status).toBeLessThan(500);
      expect(reply.text.length).toBeLessThan(2000);
      expect(performance.now() - started).toBeLessThan(60_000);
    }
  });

  it("stops work when the caller disconnects", async () => {
    const body = JSON.stringify({
      data: `${"a".repeat(50)}!`,
      steps: Array.from({ length: 20 }, () => endless),
    });
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `POST /api/pipelines/run HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.destroy();
    const cancelled = /^penknife_tool_runs_total\{tool="regex-tester",outcome="cancelled"\} 1$/m;
    let metrics = "";
    for (let tries = 0; tries < 40 && !cancelled.test(metrics); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      metrics = (await call(`${server.url}/metrics`)).text;
    }
    expect(
      metrics.split("\n").filter((line) => line.includes('"regex-tester",outcome="cancelled"')),
    ).toHaveLength(1);
    expect(server.child.exitCode).toBeNull();
  });
});

describe("pipelines beside the configuration", () => {
  it("are served as tools, in every listing", async () => {
    const reply = await callTool(server, "house-json", { data: "eyJiIjoxLCJhIjoyfQ==" }, key);
    expect([reply.status, reply.headers["tool-version"], JSON.parse(reply.text)]).toEqual([
      200,
      "1.4.0",
      { result: '{\n "a": 2,\n "b": 1\n}' },
    ]);
    const checked = await call(`${server.url}/api/tools/house-json?check=true`, {
      method: "POST",
      headers: { "Content-Type": "text/plain", Authorization: `Bearer ${key}` },
      body: "W10=",
    });
    expect(checked.status).toBe(200);
    const { items } = JSON.parse((await call(`${server.url}/api/tools`)).text) as { items: object[] };
    expect(items.at(-1)).toMatchObject({ slug: "house-json", category: "pipelines", version: "1.4.0" });
    for (const path of ["/llms.txt", "/openapi.json", "/metrics"])
      expect((await call(server.url + path)).text).toContain("house-json");
    const cli = await penknife(folder.path, ["run", "house-json"], { input: "eyJiIjoxLCJhIjoyfQ==" });
    expect(cli).toEqual({ status: 0, stdout: '{\n "a": 2,\n "b": 1\n}\n', stderr: "" });
    const described = JSON.parse((await call(`${server.url}/api/tools/house-json`)).text) as {
      examples: { input: { data: string }; result: string }[];
    };
    for (const { input, result } of described.examples) {
      const again = await callTool(server, "house-json", input, key);
      expect((JSON.parse(again.text) as { result: string }).result).toBe(result);
    }
  });

  it.each<[string, Record<string, string>, string, string]>([
    [
      "an unknown option",
      { "a.yaml": "steps:\n  - tool: json-formatter\n    with: {indnt: 1}\n" },
      "",
      'pipelines/a.yaml:3:19: Step 1 (json-formatter): Unknown field "indnt". Did you mean indent?',
    ],
    [
      "a tool that is switched off",
      { "a.yaml": "steps:\n  - tool: json-formatter\n" },
      "tools: {disabled: [json-formatter]}",
      "pipelines/a.yaml:2:11: Step 1: json-formatter is switched off by tools.disabled; take the step out, or the tool out of that list.",
    ],
    [
      "the name of a tool",
      { "json-formatter.yaml": "steps: [{tool: json-sorter}]" },
      "",
      "pipelines/json-formatter.yaml: json-formatter is a tool already; give the pipeline another name.",
    ],
    ["no YAML", { "a.yaml": "steps: [", "b.yaml": house }, "", "pipelines/a.yaml:1:9: "],
  ])("with %s stop the start, with status 2 and one sentence", async (_, pipelines, config, message) => {
    const own = emptyFolder();
    install(own.path, pipelines, config);
    const ran = await penknife(own.path, ["serve", "--port", "0"]);
    expect([ran.status, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain(`penknife: ${message}`);
    expect(ran.stderr.trimEnd().split("\n")).toHaveLength(1);
    own.remove();
  });
});

it("runs a file of steps offline", async () => {
  const own = emptyFolder();
  writeFileSync(join(own.path, "p.yaml"), "steps: [{tool: base64-decoder}, {tool: json-sorter}]");
  expect(await penknife(own.path, ["run", "-p", "p.yaml"], { input: "eyJiIjoxLCJhIjoyfQ==" })).toEqual({
    status: 0,
    stdout: '{\n  "a": 2,\n  "b": 1\n}\n',
    stderr: "",
  });
  const bad = await penknife(own.path, ["run", "-p", "p.yaml", "-"], { input: "WzEsXQ==" });
  expect([bad.status, bad.stderr.split("\n")[0]]).toEqual([
    1,
    expect.stringMatching(/^penknife: step 2 \(json-sorter\):1:3: /),
  ]);
  own.remove();
});
