import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sections } from "../../../../src/options.ts";
import type { Route } from "../../../../src/surfaces/http/exchange.ts";
import { addMcp } from "../../../../src/surfaces/mcp/mcp.ts";
import { toOpenapi } from "../../../../src/surfaces/rest/openapi/document.ts";
import tomlToJson from "../../../../src/tools/data/toml-to-json.ts";
import { defaults } from "../../../support/defaults.ts";
import { runTool } from "../../../unit/tools/run-tool.ts";
import { type McpHarness, openMcp } from "./open.ts";

const text = readFileSync(new URL("../../../../docs/mcp.md", import.meta.url), "utf8");
const blocksOf = (language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(([, lines = ""]) => lines);

let app: McpHarness;
beforeAll(async () => {
  app = await openMcp();
});
afterAll(() => app.close());

test("the example does what the page says", async () => {
  const [, command = ""] = blocksOf("sh");
  const line = command.replace("http://127.0.0.1:8787", app.url);
  expect(line).not.toBe(command);
  const { stdout } = await promisify(execFile)("sh", ["-c", line]);
  expect(`${stdout}\n`).toBe(blocksOf("json").at(-1));
});

test("five clients, each with the URL and the key from outside of the file", async () => {
  const json = blocksOf("json").filter((block) => !block.startsWith('{"jsonrpc"'));
  const toml = await Promise.all(blocksOf("toml").map((data) => runTool(tomlToJson, { data })));
  const configurations = [...json, ...toml];
  expect(configurations.length + 1).toBe(6);
  for (const configuration of configurations) {
    expect(() => JSON.parse(configuration) as unknown).not.toThrow();
    expect(configuration).toContain('"https://tools.example.com/mcp"');
    expect(configuration).toMatch(/PENKNIFE_KEY|penknife-key/);
  }
  expect(text).not.toMatch(/svc_live_\w/);
});

test("names every option with its default", () => {
  for (const [name, option] of Object.entries(sections.mcp))
    expect(text).toContain(`| \`mcp.${name}\` | \`${String(option.default)}\` |`);
});

test("shows an error as it is", async () => {
  const { text: shown } = await app.call("run_tool", {
    slug: "json-formatter",
    input: { data: "[]", indent: 11 },
  });
  expect(text).toContain(shown.split("\n").slice(0, 5).join("\n"));
});

const document = toOpenapi([], {
  version: "1.2.3",
  basePath: "",
  anonymous: true,
  inboxes: false,
  mcp: true,
  metricsEnabled: false,
  metricsToken: false,
});

test("the OpenAPI document names the route, and the statuses of its answers", async () => {
  const routes: Route[] = [];
  const http = { ...app.http, route: (route: Route) => void routes.push(route) };
  addMcp(http, { ...app.deps, mcp: defaults.mcp });
  expect(routes.map(({ path, methods }) => [path, Object.keys(methods)])).toEqual([["/mcp", ["POST"]]]);
  const { parameters: _, post, ...others } = document.paths["/mcp"] ?? {};
  expect(others).toEqual({});
  for (const [status, response] of [
    [200, await app.send("tools/list")],
    [202, await app.post("/mcp", '{"jsonrpc":"2.0","method":"notifications/initialized"}')],
    [400, await app.post("/mcp", "[]")],
    [401, await app.send("tools/list", {}, { headers: { authorization: "Bearer x" } })],
    [403, await app.send("tools/list", {}, { headers: { origin: "https://evil.example" } })],
    [404, await app.send("ping")],
    [413, await app.post("/mcp", " ".repeat(1_048_577))],
    [415, await app.send("tools/list", {}, { headers: { "content-type": "text/plain" } })],
  ] as [number, Response][]) {
    expect(response.status).toBe(status);
    const described = post?.responses[status] as { content?: object; headers: object };
    const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
    expect(Object.keys(described.content ?? { "": {} })).toContain(type);
    await response.arrayBuffer();
  }
  expect(
    toOpenapi([], { ...document, mcp: false } as unknown as Parameters<typeof toOpenapi>[1]).paths["/mcp"],
  ).toBeUndefined();
});
