import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { end, type Ended, start } from "../../cli/spawn.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "penknife-lsp-")));
writeFileSync(join(folder, "penknife.checks.yaml"), 'checks: [{ tool: json-validator, files: "*.json" }]\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const frame = (message: unknown): Buffer => {
  const body = Buffer.from(typeof message === "string" ? message : JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
};
const call = (id: unknown, method: string, params?: unknown): object => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const note = (method: string, params?: unknown): object => ({ jsonrpc: "2.0", method, params });
const workspaceFolders = [{ uri: pathToFileURL(folder).href, name: "a" }];
const initialize = call(1, "initialize", { capabilities: {}, workspaceFolders });
const shutdown = [call(99, "shutdown"), note("exit")];
const uri = pathToFileURL(join(folder, "a.json")).href;
const open = (text: string): object =>
  note("textDocument/didOpen", { textDocument: { uri, languageId: "json", version: 1, text } });

/** Sends messages, and returns what comes back. */
async function talk(messages: readonly unknown[]): Promise<Ended & { answers: Record<string, unknown>[] }> {
  const child = start(["lsp"], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
  const ended = await end(
    child,
    Buffer.concat(messages.map((one) => (Buffer.isBuffer(one) ? one : frame(one)))),
  );
  return { ...ended, answers: parse(ended.stdout) };
}

function parse(bytes: Buffer): Record<string, unknown>[] {
  const answers: Record<string, unknown>[] = [];
  for (let at = 0; at < bytes.length;) {
    const from = bytes.indexOf("\r\n\r\n", at) + 4;
    const length = Number(/Content-Length: (\d+)/.exec(bytes.subarray(at, from).toString())?.[1]);
    answers.push(JSON.parse(bytes.subarray(from, from + length).toString()) as Record<string, unknown>);
    at = from + length;
  }
  return answers;
}

const idsAndCodes = (answers: readonly Record<string, unknown>[]): unknown[] =>
  answers.map(({ id, error }) => [id, (error as { code: number } | undefined)?.code ?? "ok"]);

test("requests before initialize, after shutdown, without sense and twice are refused, each with its code", async () => {
  const { answers, status, stderr } = await talk([
    call(0, "textDocument/formatting", {}),
    note("textDocument/didOpen", {}),
    initialize,
    call(2, "initialize", {}),
    call("three", "$/unknown"),
    ...[
      {},
      [],
      1,
      "[",
      { jsonrpc: "1.0", id: 4, method: "a" },
      call({}, "a"),
      call(1.5, "a"),
      call("x".repeat(300), "a"),
      call(5, "a", 1),
    ].map((one) => frame(one)),
    note("textDocument/didOpen", { textDocument: 1 }),
    note("textDocument/didChange", { textDocument: { uri, version: 2 }, contentChanges: [] }),
    note("$/unknown"),
    note("$/cancelRequest", { id: {} }),
    { jsonrpc: "2.0", id: "penknife-1", result: null },
    call(98, "shutdown"),
    call(6, "textDocument/formatting", { textDocument: { uri } }),
    note("exit"),
  ]);
  const replies = answers.filter(({ method }) => method === undefined);
  expect(idsAndCodes(replies).toSorted()).toEqual(
    [
      [0, -32002],
      [1, "ok"],
      [2, -32600],
      ["three", -32601],
      [null, -32600],
      [null, -32600],
      [null, -32600],
      [null, -32700],
      [4, -32600],
      [null, -32600],
      [null, -32600],
      [null, -32600],
      [5, -32600],
      [98, "ok"],
      [6, -32600],
    ].toSorted(),
  );
  expect(answers.filter(({ method }) => method === "window/logMessage")).toHaveLength(2);
  expect(status).toBe(0);
  expect(stderr).toBe("");
});

test("a message that is too long, or no UTF-8, is refused, and the next one answered", async () => {
  const { answers, status } = await talk([
    initialize,
    Buffer.concat([
      Buffer.from(`Content-Length: ${65 * 1024 * 1024}\r\n\r\n`),
      Buffer.alloc(65 * 1024 * 1024, "x"),
    ]),
    frame(Buffer.from([0x22, 0xff, 0x22]).toString("latin1")),
    Buffer.concat([Buffer.from("Content-Length: 3\r\n\r\n"), Buffer.from([0x22, 0xff, 0x22])]),
    ...shutdown,
  ]);
  expect(idsAndCodes(answers)).toEqual([
    [1, "ok"],
    [null, -32600],
    [null, -32600],
    [null, -32700],
    [99, "ok"],
  ]);
  expect(status).toBe(0);
});

test.each([
  ["a request of HTTP", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["two lengths", "Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}"],
  ["a header without an end", "x".repeat(100_000)],
])("%s: ends the connection with an error", async (_, text) => {
  const { answers, status } = await talk([initialize, Buffer.from(text), ...shutdown]);
  expect(idsAndCodes(answers)).toEqual([
    [1, "ok"],
    [null, -32700],
  ]);
  expect(status).toBe(1);
});

test("exit without shutdown, and an input that ends, are status 1", async () => {
  expect((await talk([initialize, note("exit")])).status).toBe(1);
  expect((await talk([initialize])).status).toBe(1);
  expect((await talk([])).status).toBe(1);
});

test("a client that stops reading does not keep the server alive when its input ends", async () => {
  const child = start(["lsp"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin?.write(Buffer.concat([frame(initialize), frame(open("[1,]"))]));
  await once(child.stdout as NodeJS.ReadableStream, "data");
  child.stdout?.destroy();
  child.stdin?.end(
    Buffer.concat(
      Array.from({ length: 50 }, () => frame(call(7, "textDocument/formatting", { textDocument: { uri } }))),
    ),
  );
  const [status] = (await once(child, "close")) as [number];
  expect(status).toBe(1);
});

test("a document that is larger than is kept, deep documents and names of prototypes leave the server working", async () => {
  const child = start(["lsp"], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const published = async (version: number): Promise<unknown> => {
    for (;;) {
      const all = Buffer.concat(chunks);
      const text = all.toString();
      if (text.includes(`"version":${version},`)) {
        const found = parse(all).find(
          ({ params }) => (params as { version?: number } | undefined)?.version === version,
        );
        return ((found as { params: unknown }).params as { diagnostics: { code: string }[] }).diagnostics.map(
          ({ code }) => code,
        );
      }
      await new Promise((resolve) => void setTimeout(resolve, 20));
    }
  };
  const write = (message: object): void => void child.stdin?.write(frame(message));
  const change = (version: number, text: string): void =>
    write(note("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] }));
  write(initialize);
  write(open("[".repeat(1_000_000)));
  expect(await published(1)).toEqual(["json-validator/too-deep"]);
  change(2, "x".repeat(33 * 1024 * 1024));
  expect(await published(2)).toEqual(["penknife/not-kept"]);
  // A part of a text that is not known cannot be changed.
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  write(
    note("textDocument/didChange", {
      textDocument: { uri, version: 3 },
      contentChanges: [{ range, text: "a" }],
    }),
  );
  expect(await published(3)).toEqual(["penknife/not-kept"]);
  change(4, '{"__proto__":1,"__proto__":2}\n');
  expect(await published(4)).toEqual(["json-validator/duplicate-key"]);
  for (const one of shutdown) write(one);
  expect((await once(child, "close"))[0]).toBe(0);
});
