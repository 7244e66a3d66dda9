import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { start } from "../../cli/spawn.ts";

interface Position {
  line: number;
  character: number;
}
interface Edit {
  range: { start: Position; end: Position };
  newText: string;
}
interface Diagnostics {
  uri: string;
  version?: number;
  diagnostics: {
    range: { start: Position; end: Position };
    severity: number;
    code: string;
    source: string;
    message: string;
  }[];
}
interface Client {
  diagnostics: Diagnostics[];
  messages: { type: number; message: string }[];
  registrations: { method: string }[];
  initialize(
    params: object,
  ): Promise<{ capabilities: Record<string, unknown>; serverInfo: { name: string } }>;
  open(uri: string, text: string, version?: number): Promise<void>;
  change(uri: string, version: number, changes: object[]): Promise<void>;
  save(uri: string): Promise<void>;
  close(uri: string): Promise<void>;
  changeFolders(added: object[], removed: object[]): Promise<void>;
  watched(uri: string): Promise<void>;
  format(uri: string, token?: object): Promise<Edit[]>;
  actions(
    uri: string,
    only?: string[],
  ): Promise<{ title: string; kind: string; edit: { changes: Record<string, Edit[]> } }[]>;
  request(method: string, params: object): Promise<unknown>;
  shutdown(): Promise<void>;
  dispose(): void;
}

// Its package is installed by the test run, so the type check does not know it.
const file = new URL("client/client.js", import.meta.url).href;
const { connect, CancellationTokenSource } = (await import(file)) as {
  connect(stdout: unknown, stdin: unknown): Client;
  CancellationTokenSource: new () => { token: object; cancel(): void };
};

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Makes a folder, with Git's data unless it is to be outside of a repository. */
function makeFolder(files: Record<string, string>, git = true): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "penknife-lsp-")));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  if (git) execFileSync("git", ["init", "-q", folder]);
  return folder;
}

const list = `checks:
  - { tool: json-validator, files: "**/*.json" }
  - { tool: json-formatter, files: "**/*.json" }
  - { tool: yaml-validator, files: "**/*.yaml", severity: warning }
`;

const uriIn = (folder: string, name: string): string => pathToFileURL(join(folder, name)).href;

/** Starts a server, which ends with the test. */
async function serve(folder: string, more: object = {}, cwd = folder) {
  const child = start(["lsp"], { cwd, stdio: ["pipe", "pipe", "pipe"] });
  const stderr: string[] = [];
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(String(chunk)));
  const ended = new Promise<number | null>((resolve) => void child.on("close", resolve));
  const client = connect(child.stdout, child.stdin);
  onTestFinished(() => client.dispose());
  const workspaceFolders = [{ uri: pathToFileURL(folder).href, name: "a" }];
  const result = await client.initialize({ workspaceFolders, capabilities: {}, ...more });
  return { client, child, ended, stderr, result };
}

/** Waits until a condition holds; the test's own limit ends it. */
async function until<T>(read: () => T | undefined): Promise<T> {
  for (;;) {
    const found = read();
    if (found !== undefined) return found;
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
}

/** The diagnostics of a version of a document. */
const diagnosticsOf = (client: Client, uri: string, version: number): Promise<Diagnostics["diagnostics"]> =>
  until(() => client.diagnostics.find((one) => one.uri === uri && one.version === version)?.diagnostics);

/** Applies the edits of a document whose positions are UTF-16. */
function apply(text: string, edits: readonly Edit[]): string {
  const lines = text.split("\n");
  const indexOf = ({ line, character }: Position): number =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  const [edit] = edits;
  if (edit === undefined) return text;
  return text.slice(0, indexOf(edit.range.start)) + edit.newText + text.slice(indexOf(edit.range.end));
}

describe("a stock client", () => {
  test("sees diagnostics of the text that it has, not of the file", async () => {
    const folder = makeFolder({ "penknife.checks.yaml": list, "a.json": "{}\n" });
    const { client, result, ended, stderr } = await serve(folder);
    expect(result.serverInfo).toMatchObject({ name: "penknife" });
    expect(result.capabilities).toEqual({
      positionEncoding: "utf-16",
      textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
      documentFormattingProvider: true,
      codeActionProvider: { codeActionKinds: ["quickfix", "source.fixAll.penknife"] },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    });
    const uri = uriIn(folder, "a.json");
    await client.open(uri, '{\n  "😀": [1,],\n}\n', 7);
    const found = await diagnosticsOf(client, uri, 7);
    expect(found[0]).toMatchObject({
      severity: 1,
      source: "penknife",
      code: expect.stringMatching(/^json-validator\//) as string,
      range: { start: { line: 1, character: 10 } },
    });
    await client.change(uri, 8, [
      { range: { start: { line: 1, character: 10 }, end: { line: 1, character: 11 } }, text: "" },
      { range: { start: { line: 1, character: 11 }, end: { line: 1, character: 12 } }, text: "" },
    ]);
    const left = await diagnosticsOf(client, uri, 8);
    expect(left.map(({ code }) => code)).toEqual(["json-formatter"]);
    await client.close(uri);
    expect(await until(() => client.diagnostics.find((one) => one.version === undefined))).toMatchObject({
      uri,
      diagnostics: [],
    });
    await client.shutdown();
    expect(await ended).toBe(0);
    expect(stderr.join("")).toBe("");
  });

  test("formats, and fixes with one tool and with all", async () => {
    const folder = makeFolder({ "penknife.checks.yaml": list });
    const { client } = await serve(folder);
    const uri = uriIn(folder, "new.json");
    const text = '{"a":1,\n  "b":[ "x" ]}\n';
    await client.open(uri, text);
    const formatted = '{\n  "a": 1,\n  "b": [\n    "x"\n  ]\n}\n';
    expect(apply(text, await client.format(uri))).toBe(formatted);
    const actions = await client.actions(uri);
    expect(actions.map(({ title, kind }) => [title, kind])).toEqual([
      ["Fix with json-formatter", "quickfix"],
      ["Fix all that penknife can fix", "source.fixAll.penknife"],
    ]);
    for (const { edit } of actions) expect(apply(text, edit.changes[uri] ?? [])).toBe(formatted);
    expect((await client.actions(uri, ["source.fixAll"])).map(({ kind }) => kind)).toEqual([
      "source.fixAll.penknife",
    ]);
    expect(await client.actions(uri, ["refactor"])).toEqual([]);
    await client.change(uri, 2, [{ text: formatted }]);
    expect(await client.format(uri)).toEqual([]);
    expect(await client.actions(uri)).toEqual([]);
    // What is no JSON stays as it is.
    await client.change(uri, 3, [{ text: "{" }]);
    expect(await client.format(uri)).toEqual([]);
  });

  test.each([
    ["utf-8", { line: 0, character: 9 }],
    ["utf-16", { line: 0, character: 7 }],
    ["utf-32", { line: 0, character: 6 }],
  ])("counts in %s if it offers that first", async (encoding, at) => {
    const folder = makeFolder({ "penknife.checks.yaml": list });
    const general = { positionEncodings: [encoding, "utf-16"] };
    const { client, result } = await serve(folder, { capabilities: { general } });
    expect(result.capabilities["positionEncoding"]).toBe(encoding);
    const uri = uriIn(folder, "a.json");
    await client.open(uri, '["😀", 1\n', 1);
    await client.change(uri, 2, [{ range: { start: at, end: at }, text: "x" }]);
    const [first] = await diagnosticsOf(client, uri, 2);
    expect(first?.range.start).toEqual(at);
  });

  test("gets the severity and the ignore comments of the list of checks", async () => {
    const folder = makeFolder({ "penknife.checks.yaml": list });
    const { client } = await serve(folder);
    const uri = uriIn(folder, "a.yaml");
    await client.open(uri, "a: 1\na: 2\n");
    expect(await diagnosticsOf(client, uri, 1)).toMatchObject([
      { severity: 2, code: "yaml-validator/duplicate-key", range: { start: { line: 1 } } },
    ]);
    await client.change(uri, 2, [
      { text: "a: 1\na: 2 # penknife-ignore yaml-validator/duplicate-key twice for a reason\n" },
    ]);
    expect(await diagnosticsOf(client, uri, 2)).toEqual([]);
  });

  test("has the list read again when it is saved, or when it says that files have changed", async () => {
    const folder = makeFolder({ "penknife.checks.yaml": list });
    const capabilities = { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } };
    const { client } = await serve(folder, { capabilities });
    expect(await until(() => client.registrations[0])).toMatchObject({
      method: "workspace/didChangeWatchedFiles",
    });
    const uri = uriIn(folder, "a.json");
    await client.open(uri, "{}\n", 1);
    expect(await diagnosticsOf(client, uri, 1)).toEqual([]);
    client.diagnostics.length = 0;
    writeFileSync(
      join(folder, "penknife.checks.yaml"),
      'checks: [{ tool: json-formatter, files: "*.json", with: { indent: 0 } }, { tool: secret-scanner, files: "*" }]\n',
    );
    await client.save(uriIn(folder, "penknife.checks.yaml"));
    expect(await until(() => client.diagnostics[0])).toMatchObject({ uri, diagnostics: [] });
    client.diagnostics.length = 0;
    writeFileSync(join(folder, "penknife.checks.yaml"), "checks: 1\n");
    await client.watched(uriIn(folder, "penknife.checks.yaml"));
    expect(await until(() => client.messages[0])).toMatchObject({
      type: 1,
      message: expect.stringMatching(
        /^penknife: penknife\.checks\.yaml:1:9: checks must be a list/,
      ) as string,
    });
    expect(await until(() => client.diagnostics[0])).toMatchObject({ uri, diagnostics: [] });
  });

  test("gets what .editorconfig asks for, and the fixes of a tool that is no formatter", async () => {
    const folder = makeFolder({
      "penknife.checks.yaml": 'checks: [{ tool: editorconfig-checker, files: "*.txt" }]\n',
      ".editorconfig": "root = true\n[*]\ntrim_trailing_whitespace = true\n",
    });
    const { client } = await serve(folder);
    const uri = uriIn(folder, "a.txt");
    await client.open(uri, "a  \n", 1);
    expect(await diagnosticsOf(client, uri, 1)).toMatchObject([
      { code: expect.stringMatching(/^editorconfig-checker\//) as string },
    ]);
    const actions = await client.actions(uri, ["quickfix"]);
    expect(actions.map(({ title }) => title)).toEqual(["Fix with editorconfig-checker"]);
    expect(apply("a  \n", actions[0]?.edit.changes[uri] ?? [])).toBe("a\n");
    client.diagnostics.length = 0;
    writeFileSync(join(folder, ".editorconfig"), "root = true\n");
    await client.save(uriIn(folder, ".editorconfig"));
    expect(await diagnosticsOf(client, uri, 1)).toEqual([]);
  });

  test("adds and removes folders, of which the innermost counts", async () => {
    const folder = makeFolder({
      "penknife.checks.yaml": list,
      "inner/penknife.checks.yaml": 'checks: [{ tool: secret-scanner, files: "*.json" }]\n',
    });
    const { client } = await serve(folder);
    const uri = uriIn(folder, "inner/a.json");
    await client.open(uri, "[1,]\n", 1);
    expect((await diagnosticsOf(client, uri, 1)).length).toBeGreaterThan(0);
    client.diagnostics.length = 0;
    const inner = { uri: pathToFileURL(join(folder, "inner")).href, name: "inner" };
    await client.changeFolders([inner], []);
    expect(await diagnosticsOf(client, uri, 1)).toEqual([]);
    client.diagnostics.length = 0;
    await client.changeFolders([], [inner]);
    expect((await diagnosticsOf(client, uri, 1)).length).toBeGreaterThan(0);
  });

  test("can cancel a request, and one about a text that has changed fails", async () => {
    const folder = makeFolder({ "penknife.checks.yaml": list });
    const { client } = await serve(folder);
    const uri = uriIn(folder, "a.json");
    const large = `[${'{"a":[1,2,3]},'.repeat(200_000)}1]\n`;
    await client.open(uri, large);
    const source = new CancellationTokenSource();
    const formatting = client.format(uri, source.token);
    source.cancel();
    await expect(formatting).rejects.toMatchObject({ code: -32800 });
    const changed = client.format(uri);
    await client.change(uri, 2, [{ text: "[]\n" }]);
    await expect(changed).rejects.toMatchObject({ code: -32801 });
    expect(await diagnosticsOf(client, uri, 2)).toEqual([]);
    await client.shutdown();
  });

  test("is told what the server does not do", async () => {
    const folder = makeFolder({ "penknife.checks.yaml": list });
    const { client } = await serve(folder);
    await expect(client.request("textDocument/hover", {})).rejects.toMatchObject({ code: -32601 });
    await expect(client.request("textDocument/formatting", {})).rejects.toMatchObject({ code: -32602 });
    await expect(client.format(uriIn(folder, "closed.json"))).rejects.toMatchObject({ code: -32602 });
  });
});

describe("a folder that belongs to somebody else", () => {
  test("gets nothing for documents out of it, in .git, behind links, and without a path", async () => {
    const outside = makeFolder({ "a.json": "[1,]\n" });
    const folder = makeFolder({ "penknife.checks.yaml": list });
    symlinkSync(outside, join(folder, "link"));
    symlinkSync(join(outside, "a.json"), join(folder, "linked.json"));
    const { client } = await serve(folder);
    const uris = [
      uriIn(outside, "a.json"),
      uriIn(folder, "link/a.json"),
      uriIn(folder, "linked.json"),
      uriIn(folder, ".git/a.json"),
      `${pathToFileURL(folder).href}/../${outside.split("/").at(-1)}/a.json`,
      "untitled:Untitled-1",
      "https://example.com/a.json",
      "file://host/a.json",
      "file:///%00.json",
    ];
    for (const uri of uris) await client.open(uri, "[1,]\n", 1);
    for (const uri of uris) expect(await diagnosticsOf(client, uri, 1)).toEqual([]);
    expect(client.messages).toEqual([]);
  });

  test("cannot have a list or a schema read from elsewhere, which is said once", async () => {
    const outside = makeFolder({ "secret.json": '{"minimum": "classified"}', "penknife.checks.yaml": list });
    const folder = makeFolder({
      "penknife.checks.yaml": `checks: [{ tool: json-schema-validator, files: "*.json", with: { schemaFile: ${join(outside, "secret.json")} } }]\n`,
    });
    const { client } = await serve(folder);
    const uri = uriIn(folder, "a.json");
    await client.open(uri, "[1,]\n", 1);
    expect(await diagnosticsOf(client, uri, 1)).toEqual([]);
    expect(client.messages).toHaveLength(1);
    expect(client.messages[0]?.message).toMatch(/is outside of .*; its files alone are read/);
    await client.change(uri, 2, [{ text: "[" }]);
    expect(await diagnosticsOf(client, uri, 2)).toEqual([]);
    expect(client.messages).toHaveLength(1);
    const linking = makeFolder({});
    symlinkSync(join(outside, "penknife.checks.yaml"), join(linking, "penknife.checks.yaml"));
    const other = await serve(linking);
    await other.client.open(uriIn(linking, "a.json"), "[1,]\n", 1);
    expect(await diagnosticsOf(other.client, uriIn(linking, "a.json"), 1)).toEqual([]);
    expect(other.client.messages[0]?.message).toMatch(/is a link out of/);
  });

  test("runs none of its programs", async () => {
    const folder = makeFolder({ "penknife.checks.yaml": list });
    const ran = join(folder, "ran");
    writeFileSync(join(folder, "program"), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    for (const name of ["core.fsmonitor", "core.sshCommand", "core.pager", "diff.external", "filter.a.clean"])
      execFileSync("git", ["-C", folder, "config", name, join(folder, "program")]);
    writeFileSync(join(folder, ".gitattributes"), "* filter=a diff=a\n");
    const { client } = await serve(folder);
    const uri = uriIn(folder, "a.json");
    await client.open(uri, "[1,]\n", 1);
    expect((await diagnosticsOf(client, uri, 1)).length).toBeGreaterThan(0);
    await client.save(uri);
    expect(existsSync(ran)).toBe(false);
  });
});

test("a worker that is killed does not end the server: the next check runs in another one", async () => {
  const folder = makeFolder({ "penknife.checks.yaml": list });
  const { client, child } = await serve(folder);
  const uri = uriIn(folder, "a.yaml");
  await client.open(uri, "a: 1\na: 2\n", 1);
  expect(await diagnosticsOf(client, uri, 1)).toHaveLength(1);
  const workers =
    execFileSync("ps", ["-o", "pid=", "--ppid", String(child.pid)], { encoding: "utf8" }).match(/\d+/g) ?? [];
  expect(workers.length).toBeGreaterThan(0);
  for (const pid of workers) process.kill(Number(pid), "SIGKILL");
  for (let version = 2; ; version++) {
    await client.change(uri, version, [{ text: `a: 1\na: ${version}\n` }]);
    const found = await diagnosticsOf(client, uri, version);
    if (found.some(({ code }) => code === "yaml-validator/duplicate-key")) break;
  }
  await client.shutdown();
});
