import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { emptyFolder, executable } from "./harness.ts";

const message = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

/** Calls tools of one `penknife mcp`, and returns the text of each answer. */
async function call(root: string, calls: readonly { name: string; arguments: object }[]): Promise<string[]> {
  const child = spawn(executable, ["mcp", "--root", root, "--allow-write"], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stdin.write(
    message(0, "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    }),
  );
  for (const [index, one] of calls.entries()) child.stdin.write(message(index + 1, "tools/call", one));
  const lines = () => Buffer.concat(chunks).toString().split("\n").slice(0, -1);
  await expect.poll(() => lines().length).toBe(calls.length + 1);
  child.stdin.end();
  await once(child, "close");
  const texts: string[] = [];
  for (const line of lines()) {
    const { id, result } = JSON.parse(line) as { id: number; result: { content?: { text: string }[] } };
    if (id > 0) texts[id - 1] = result.content?.[0]?.text ?? "";
  }
  return texts;
}

function makeRoot(): { root: string; outside: string } {
  const folder = emptyFolder();
  onTestFinished(folder.remove);
  const [root, outside] = [join(folder.path, "root"), join(folder.path, "outside")] as [string, string];
  for (const one of [root, outside, join(root, ".git")]) mkdirSync(one);
  writeFileSync(join(outside, "there.json"), '{"confidential":1}');
  writeFileSync(join(root, ".git/config"), "[remote]\nurl = https://token@example.com/\n");
  writeFileSync(join(root, "a.json"), "[1]");
  return { root, outside };
}

it("gives one answer for whatever lies outside of the root", async () => {
  const { root, outside } = makeRoot();
  symlinkSync(join(outside, "there.json"), join(root, "aaaa.json"));
  symlinkSync(join(outside, "missing.json"), join(root, "bbbb.json"));
  symlinkSync(outside, join(root, "cccc"));
  symlinkSync(join(outside, "missing"), join(root, "dddd"));
  const callsOf = (name: string) => [
    { name: "run_tool", arguments: { slug: "json-formatter", file: name } },
    {
      name: "run_tool",
      arguments: { slug: "json-formatter", input: { data: "[]" }, out_file: name, overwrite: true },
    },
    { name: "run_pipeline", arguments: { steps: [{ tool: "json-minifier" }], file: name } },
    { name: "check_files", arguments: { files: [name], tool: "json-formatter" } },
    { name: "check_files", arguments: { files: [`${name}/*.json`], tool: "json-formatter" } },
  ];
  const names = ["aaaa.json", "bbbb.json", "cccc", "dddd", "cccc/there.json", "dddd/there.json"];
  const answers = await call(root, names.flatMap(callsOf));
  const width = callsOf("").length;
  const shape = (at: number) =>
    answers.slice(at * width, (at + 1) * width).map((text) => text.replaceAll(names[at] ?? "", "NAME"));
  for (const at of names.keys()) expect(shape(at)).toEqual(shape(0));
  expect(shape(0)[0]).toContain('"NAME" is outside of the folder that this server was started for');
  expect(answers.join()).not.toContain("confidential");
  expect(readdirSync(outside)).toEqual(["there.json"]);
  expect(readFileSync(join(outside, "there.json"), "utf8")).toBe('{"confidential":1}');
});

it("reads and writes nothing in .git, under any of its names", async () => {
  const { root } = makeRoot();
  symlinkSync(".git", join(root, "data"));
  const names = [".git", ".GIT", "git~1", ".git.", ".git ", ".git::$INDEX_ALLOCATION", ".git\u200c", "data"];
  const answers = await call(
    root,
    names.flatMap((name) => [
      { name: "run_tool", arguments: { slug: "base64-encoder", file: `${name}/config` } },
      {
        name: "run_tool",
        arguments: { slug: "json-formatter", input: { data: "[]" }, out_file: `${name}/hooks/pre-commit` },
      },
      {
        name: "run_tool",
        arguments: { slug: "json-formatter", input: { data: "[]" }, out_file: name, overwrite: true },
      },
      { name: "check_files", arguments: { files: [`${name}/config`], tool: "secret-scanner" } },
    ]),
  );
  for (const [index, answer] of answers.entries())
    expect([index, answer]).toEqual([
      index,
      index % 4 === 3
        ? expect.stringMatching(/\/config cannot be read: there is no such file/)
        : expect.stringContaining("is inside .git, where nothing is read or written"),
    ]);
  expect(readdirSync(root).toSorted()).toEqual([".git", "a.json", "data"]);
  expect(readdirSync(join(root, ".git"))).toEqual(["config"]);
});
