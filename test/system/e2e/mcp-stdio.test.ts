import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { emptyFolder, executable, issueKey, penknife, serve } from "./harness.ts";

interface Client {
  server(): { name: string };
  list(): Promise<{ name: string }[]>;
  call(name: string, args: object): Promise<{ content: { text: string }[]; isError?: boolean }>;
  close(): Promise<void>;
  stderr(): string;
  errors(): string[];
}

type Create = (server: { command: string; args: string[]; cwd: string; env: object }) => Promise<Client>;

// Its packages are installed by the test run, so the type check does not know them.
const file = new URL("../surfaces/mcp/clients/stdio-clients.js", import.meta.url).href;
const { clients } = (await import(file)) as { clients: Record<string, Create> };

const folder = emptyFolder();
afterAll(() => folder.remove());
const env = { PATH: process.env["PATH"] ?? "" };

function start(args: string[], more: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  const child = spawn(executable, ["mcp", ...args], { cwd: folder.path, env: { ...env, ...more } });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const message = (method: string, params: object, id?: unknown): string =>
  `${JSON.stringify({ jsonrpc: "2.0", ...(id !== undefined && { id }), method, params })}\n`;
const initialize = message(
  "initialize",
  { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  0,
);
const runTool = (args: object, id: unknown): string =>
  message("tools/call", { name: "run_tool", arguments: args }, id);

describe.each(Object.entries(clients))("%s", (_, create) => {
  it("starts the executable, and formats a file into another", async () => {
    const root = join(folder.path, `root-${Math.random()}`);
    mkdirSync(root);
    writeFileSync(join(root, "a.json"), "[1e400]");
    const client = await create({
      command: executable,
      args: ["mcp", "--root", root, "--allow-write"],
      cwd: folder.path,
      env,
    });
    try {
      expect(client.server().name).toBe("penknife");
      expect((await client.list()).map(({ name }) => name)).toEqual([
        "run_tool",
        "find_tools",
        "run_pipeline",
        "check_files",
      ]);
      const call = { slug: "json-formatter", file: "a.json", out_file: "b.json" };
      expect((await client.call("run_tool", call)).isError ?? false).toBe(false);
      expect(readFileSync(join(root, "b.json"), "utf8")).toBe("[\n  1e400\n]");
      // Isolated tools run in processes, which must not write to this standard output.
      const query = { slug: "json-query", input: { data: '{"a": 7}', query: "$.a" } };
      expect((await client.call("run_tool", query)).content[0]?.text).toContain("7");
      expect((await client.call("run_tool", { slug: "json-formatter", file: "/etc/passwd" })).isError).toBe(
        true,
      );
      expect(client.errors()).toEqual([]);
      expect(client.stderr()).toBe("");
    } finally {
      await client.close();
    }
  });
});

it("ends with status 0 when its input ends, also during a call that never ends", async () => {
  const child = start([], { PENKNIFE_TOOLS_DEADLINE_MS: "600000" });
  child.stdin.write(initialize);
  child.stdin.write(
    runTool(
      { slug: "regex-tester", input: { data: `${"a".repeat(40)}b`, pattern: "^(a+)+$", engine: "js" } },
      1,
    ),
  );
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await expect.poll(() => Buffer.concat(chunks).toString()).toContain('"id":0');
  child.stdin.end();
  expect(await once(child, "close")).toEqual([0, null]);
  const lines = Buffer.concat(chunks).toString().trimEnd().split("\n");
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
});

it("ends when nobody reads its output any more", async () => {
  const child = start([]);
  child.stdout.destroy();
  const closed = once(child, "close");
  const timer = setInterval(() => child.stdin.write(message("ping", {}, 1)), 50);
  onTestFinished(() => clearInterval(timer));
  child.stdin.on("error", () => undefined);
  expect(await closed).toEqual([0, null]);
});

it("refuses a root that is no folder, and unknown tools, before it serves", async () => {
  const none = await penknife(folder.path, ["mcp", "--root", "missing"]);
  expect([none.status, none.stdout, none.stderr]).toEqual([
    2,
    "",
    expect.stringContaining("missing is no folder"),
  ]);
  const unknown = await penknife(folder.path, ["mcp", "--tools", "jsn"], { input: "" });
  expect([unknown.status, unknown.stdout, unknown.stderr]).toEqual([
    2,
    "",
    expect.stringContaining("Did you mean json?"),
  ]);
});

it("runs tools on a server, which counts them; the files are of this machine", async () => {
  const server = await serve(folder.path);
  onTestFinished(async () => void (await server.stop()));
  const key = await issueKey(folder.path, "agents");
  const root = join(folder.path, "remote");
  mkdirSync(root);
  writeFileSync(join(root, "a.json"), '{"b":1e400,"a":1}');
  writeFileSync(join(root, "a.bin"), Uint8Array.of(0, 255, 10));
  symlinkSync("/etc", join(root, "etc"));
  const child = start(["--root", root, "--allow-write", "--server", server.url], { PENKNIFE_KEY: key });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const calls = [
    { slug: "json-formatter", input: { sortKeys: true, indent: 1 }, file: "a.json" },
    { slug: "base64-encoder", file: "a.bin" },
    { slug: "json-formatter", input: { data: "[1, ?]" } },
    { slug: "json-formatter", file: "etc/passwd" },
  ];
  child.stdin.write(initialize);
  for (const [index, call] of calls.entries()) child.stdin.write(runTool(call, index + 1));
  child.stdin.write(
    message(
      "tools/call",
      {
        name: "run_pipeline",
        arguments: { steps: [{ tool: "json-sorter" }, { tool: "json-minifier" }], file: "a.json" },
      },
      5,
    ),
  );
  child.stdin.write(
    message(
      "tools/call",
      { name: "check_files", arguments: { files: ["a.json"], tool: "json-formatter" } },
      6,
    ),
  );
  const answers = (): Map<number, string> =>
    new Map(
      Buffer.concat(chunks)
        .toString()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { id: number; result: { content?: { text: string }[] } })
        .map(({ id, result }) => [id, result.content?.[0]?.text ?? ""]),
    );
  await expect.poll(() => answers().size).toBe(7);
  expect(answers().get(1)).toBe('{\n "a": 1,\n "b": 1e400\n}');
  expect(answers().get(2)).toBe("AP8K");
  expect(answers().get(3)).toMatch(/^invalid_document: [\s\S]*line 1, column 5/);
  expect(answers().get(4)).toContain("outside of the folder");
  expect(answers().get(5)).toBe('{"a":1,"b":1e400}');
  expect(answers().get(6)).toContain("1 file checked, 1 finding.");
  const { stdout } = await penknife(folder.path, ["admin", "usage", "--account", "agents", "--json"]);
  // Three runs, a pipeline of two steps, and a check.
  expect(JSON.stringify(JSON.parse(stdout))).toContain('"used":6');
  child.stdin.end();
  expect(await once(child, "close")).toEqual([0, null]);
});

it("does what the document shows", async () => {
  const text = readFileSync(new URL("../../../docs/mcp.md", import.meta.url), "utf8");
  const [, line = "", answer] = /```sh\n(printf [^]*?)```\n\n```\n([^]*?)```/.exec(text) ?? [];
  const root = join(folder.path, "documented");
  mkdirSync(root);
  symlinkSync(executable, join(root, "penknife"));
  writeFileSync(join(root, "package.json"), '{"name":"example","version":"1.0.0"}');
  const child = spawn("sh", ["-c", line], { cwd: root, env: { PATH: `${root}:${env.PATH}` } });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  expect(await once(child, "close")).toEqual([0, null]);
  expect(Buffer.concat(chunks).toString()).toBe(answer);
});

it("says in a result when the server cannot be reached", async () => {
  const { stdout } = await penknife(folder.path, ["mcp", "--server", "http://127.0.0.1:1"], {
    input: initialize + runTool({ slug: "json-minifier", input: { data: "[]" } }, 1),
    env: { PENKNIFE_KEY: await issueKey(folder.path, "away") },
  });
  expect(stdout).toContain("http://127.0.0.1:1 cannot be reached");
  expect(stdout).toContain('"isError":true');
});
