import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkArguments } from "../../../src/surfaces/cli/arguments.ts";
import type { Command } from "../../../src/surfaces/cli/command.ts";
import { commandsOf, findCommand } from "../../../src/surfaces/cli/find-command.ts";
import { root } from "../../../src/surfaces/cli/root.ts";
import { createTestHost, penknife, shareWorkers } from "../cli/host.ts";
import { call, emptyFolder, executable, serve, type Server } from "./harness.ts";

/** Collects every example line of the help. */
async function collect(command: Command): Promise<string[]> {
  const { host } = createTestHost({ cwd: folder.path });
  const below = await commandsOf(command, host);
  // Tool commands have no examples.
  if (below === undefined || command.kind === "tool") return [...(command.examples ?? [])];
  const lines = await Promise.all(Object.values(below).map(async (load) => collect(await load())));
  return [...(command.examples ?? []), ...lines.flat()];
}

/** Single-line penknife commands in shell blocks of the documents. */
const documented = ["README.md", "docs/check.md", "docs/pipelines.md"].flatMap((path) =>
  [
    ...readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8").matchAll(/```sh\n([\s\S]*?)```/g),
  ].flatMap(([, block = ""]) =>
    block
      .split("\n")
      .filter(
        (line) =>
          /(?:^|\| )(?:dist\/)?penknife (?:run|check|tools|config) /.test(line) && !/SLUG|\\$/.test(line),
      ),
  ),
);

const folder = emptyFolder();
const lines = [...new Set([...(await collect(root)), ...documented])];

/** Examples that run until stopped, or need Redis, port 80 or the network. */
const notRun = /penknife serve|check --watch|inbox (?:tail|forward)|migrate|kubectl|hooks\.example\.com/;

let server: Server;
let env: Record<string, string>;
const ids = new Map<string, string>();
let argvs: Map<string, string[]>;

beforeAll(async () => {
  const { path } = folder;
  for (const name of ["api", "bin", "src", "config", "backups", ".zfunc", ".config/fish/completions"])
    mkdirSync(join(path, name), { recursive: true });
  spawnSync("git", ["init", "-q"], { cwd: path });
  symlinkSync(executable, join(path, "bin/penknife"));
  const files = {
    "a.json": '{"a":1}',
    "old.json": '{"a":1}',
    "list.json": '{"items":[{"name":"a","size":1}]}',
    "log.ndjson": '{"user":"a"}\n{"user":"b"}\n',
    "new.json": '{"a":2}',
    "package.json": '{\n    "a": 1\n}\n',
    "tsconfig.json": '{\n    "a": 1\n}\n',
    "src/a.json": "{}",
    "api/a.yaml": 'openapi: 3.0.3\ninfo: { title: a, version: "1" }\npaths: {}\n',
    "config/a.yaml": "a: 1\n",
    "config/a.json": "{}",
    "photo.jpg": "\u00ff\u00d8",
    "release.yaml": "steps: [{tool: whitespace-normalizer}, {tool: unicode-linter}]",
    "audit.yaml": "steps: [{tool: base64-decoder}, {tool: json-validator}]",
    "config.b64": "e30=",
    "notes.md": "Notes\n",
    "key.txt": "",
    "penknife.checks.yaml":
      "checks:\n  - tool: json-validator\n    files: [config/*.json]\n  - tool: json-formatter\n    files: [config/*.json]\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  argvs = parseLines();
  const hook = { PENKNIFE_WEBHOOKS_ALLOW_CIDRS: "127.0.0.0/8", PENKNIFE_TOOLS_DEADLINE_MS: "60000" };
  server = await serve(path, hook);
  env = { PENKNIFE_STORAGE_PATH: join(path, "penknife-data") };
  const admin = async (...words: string[]) => {
    const ran = await penknife(["admin", ...words, "--json"], { cwd: path, env });
    if (ran.status !== 0) throw new Error(ran.stderr);
    return JSON.parse(ran.stdout) as Record<string, string>;
  };
  await admin("accounts", "create", "ci", "--plan", "pro");
  const { key = "", id = "" } = await admin("keys", "issue", "--account", "ci");
  ids.set("key_0123456789abcdef0123", id);
  writeFileSync(join(path, "key.txt"), `${key}\n`);
  env = { ...env, PENKNIFE_URL: server.url, PENKNIFE_KEY: key };
  const endpoint = await admin("webhooks", "add", "--account", "ci", "--events", "*", "http://127.0.0.1:9/");
  ids.set("we_0123456789abcdef01234567", endpoint["id"] ?? "");
  const created = await penknife(["inbox", "create", "--json"], { cwd: path, env });
  if (created.status !== 0) throw new Error(created.stderr);
  const inbox = JSON.parse(created.stdout) as { id: string; url: string };
  ids.set("in_0123456789abcdef0123456789abcdef", inbox.id);
  const body = '{"type":"order.paid","data":{"total":4200}}';
  await call(`${server.url}/inbox/${inbox.id}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

/** Replaces the placeholders of an example with existing ids and addresses. */
function prepare(line: string): string {
  let prepared = line
    .replaceAll("dist/penknife", "penknife")
    .replaceAll("/backups/", `${folder.path}/backups/`);
  for (const [placeholder, id] of ids) prepared = prepared.replaceAll(placeholder, id);
  // A pull request of one commit, in a repository of its own.
  if (line.includes("--checks-from"))
    return `cp -r config penknife.checks.yaml $(mktemp -d ./request-XXXX) && cd request-* && git init -q && penknife check --baseline penknife.baseline.ndjson --write-baseline; git add -A && for n in 1 2; do git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m $n; done; ${prepared}`;
  // The same, where the branch that it goes into is known.
  if (line.includes("--against"))
    return `here=$(mktemp -d ./versions-XXXX) && cp -r api config penknife.checks.yaml $here && cd $here && git init -q && git add -A && git -c user.name=a -c user.email=a@example.com commit -q -m 1 && git update-ref refs/remotes/origin/main HEAD && ${prepared}`;
  if (!line.includes("admin restore")) return prepared;
  // An earlier backup, restored into an unused folder.
  const compressed = `gzip -c ${folder.path}/backups/penknife.jsonl > penknife.jsonl.gz`;
  return `export PENKNIFE_STORAGE_PATH=$(mktemp -d ./restored-XXXX); ${compressed}; ${prepared}`;
}

/** One command without pipes, redirections and substitutions: it runs in the process of the test, at a tenth of the time of another. */
const isPlain = (line: string): boolean =>
  !/[|<>$()]/.test(line.replaceAll(/'[^']*'/g, "").replace(/ # .*$/, "")) &&
  !/restore|--checks-from|--against|penknife jq/.test(line);
const program = shareWorkers();

async function runLine(line: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const cwd = folder.path;
  if (isPlain(line)) {
    const words = (argvs.get(line) ?? []).map(prepare);
    return penknife(words, { cwd, env: { ...env, HOME: cwd }, program });
  }
  const { PENKNIFE_STORAGE_PATH: _, ...others } = env;
  return spawnSync("bash", ["--norc", "-o", "pipefail", "-c", prepare(line)], {
    cwd,
    encoding: "utf8",
    env: { ...others, HOME: cwd, PATH: `${cwd}/bin:/usr/bin:/bin` },
  });
}

/** Returns the words that the shell passes to penknife in each line: a stand-in prints them. */
function parseLines(): Map<string, string[]> {
  const script = `penknife() { printf '%s\\0' "$@" >&3; }
    for line; do (eval "$line"); printf '\\n' >&3; done`;
  const commands = lines.map((line) => line.replaceAll("dist/penknife", "penknife"));
  const { output } = spawnSync("bash", ["--norc", "-c", script, "bash", ...commands], {
    cwd: folder.path,
    env: { ...process.env, HOME: folder.path },
    encoding: "utf8",
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const printed = (output[3] ?? "").split("\n");
  return new Map(lines.map((line, index) => [line, (printed[index] ?? "").split("\0").slice(0, -1)]));
}

describe("the examples of help texts and documents", () => {
  it("are found, and most of them are run", () => {
    expect(lines.length).toBeGreaterThan(55);
    expect(lines.filter((line) => !notRun.test(line)).length).toBeGreaterThan(45);
  });

  it.each(lines.map((line) => [line]))("%s is a valid command line", async (line) => {
    const { host } = createTestHost({ cwd: folder.path });
    const argv = argvs.get(line) ?? [];
    expect(argv.length).toBeGreaterThan(0);
    const { command, path, words } = await findCommand(root, argv, host);
    expect(command.run).toBeDefined();
    checkArguments(command.rewrite?.(words) ?? words, {
      args: command.args as Parameters<typeof checkArguments>[1]["args"],
      many: command.many === true,
      repeatable: command.repeatable ?? [],
      twins: command.twins ?? [],
      refused: command.refused ?? {},
      path,
    });
  });

  it("exit with the expected status", async () => {
    const failed: unknown[] = [];
    for (const line of lines.filter((one) => !notRun.test(one)).toSorted(byHarm)) {
      const { status, stdout, stderr } = await runLine(line);
      if (!expected(line, status, stderr))
        failed.push({ line, status, stdout: stdout.slice(0, 200), stderr });
    }
    expect(failed).toEqual([]);
  }, 240_000);
});

/** Examples that revoke, restore or replace run last. */
const byHarm = (a: string, b: string): number => Number(isHarmful(a)) - Number(isHarmful(b));
const isHarmful = (line: string): boolean => /revoke|restore|rotate/.test(line);

/** Some examples are expected to fail: an account that exists, an endpoint that does not answer. */
function expected(line: string, status: number | null, stderr: string): boolean {
  if (line.includes("accounts create ci")) return status === 2 && stderr.includes("already");
  if (line.includes("ses_")) return stderr.includes("ses_0123456789abcdef0123");
  if (line.includes("dlv_")) return stderr.includes("delivery");
  if (line.includes("webhooks test"))
    return stderr.includes("Not delivered") || stderr.includes("Nothing was sent");
  // There is a list of checks already.
  if (line.includes("check init")) return status === 2 && stderr.includes("exists; nothing was written");
  // The folder of the examples has keys.
  if (line.includes("check --all")) return status === 1;
  // There is no editor, and the end of its messages is the end of the server.
  if (line.includes("penknife lsp")) return status === 1 && stderr === "";
  // Every file is as the checks want it.
  if (line.includes("| git apply")) return stderr.includes("No valid patches");
  // The document is indented by four spaces, and two are requested.
  if (line.includes("run json-formatter --check")) return status === 1 && stderr === "";
  return status === 0;
}
