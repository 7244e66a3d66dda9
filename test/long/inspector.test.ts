import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPackages } from "../support/install-packages.ts";
import { type McpHarness, openMcp } from "../system/surfaces/mcp/open.ts";

const folder = fileURLToPath(new URL("../system/surfaces/mcp/inspector/", import.meta.url));

let app: McpHarness;
beforeAll(async () => {
  // 110 MB, so it is installed here and not before every test run.
  await installPackages(folder);
  app = await openMcp();
});
afterAll(() => app.close());

/** The output of the inspector of the protocol, at the command line. */
async function inspect(path: string, ...words: string[]): Promise<unknown> {
  const program = `${folder}node_modules/.bin/mcp-inspector`;
  const line = ["--cli", `${app.url}${path}`, "--transport", "http", ...words];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...line]);
  return JSON.parse(stdout);
}

test("lists the tools", async () => {
  expect(await inspect("/mcp", "--method", "tools/list")).toMatchObject({
    tools: [{ name: "run_tool" }, { name: "find_tools" }, { name: "run_pipeline" }],
  });
});

test("calls a typed tool", async () => {
  const words = ["--method", "tools/call", "--tool-name", "url-encoder", "--tool-arg", "data=a b"];
  expect(await inspect("/mcp?tools=encoding", ...words)).toMatchObject({
    content: [{ type: "text", text: "a%20b" }],
  });
});

test("calls run_tool", async () => {
  const words = ["--method", "tools/call", "--tool-name", "run_tool", "--tool-arg", "slug=json-minifier"];
  expect(await inspect("/mcp", ...words, "--tool-arg", 'input={"data":"[ 1 ]"}')).toMatchObject({
    content: [{ type: "text", text: "[1]" }],
  });
});
