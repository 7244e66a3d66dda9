import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import { createCatalog } from "../../../../../src/catalog/catalog.ts";
import { createRunner } from "../../../../../src/catalog/run.ts";
import { execute } from "../../../../../src/catalog/execute.ts";
import { createFiles } from "../../../../../src/surfaces/cli/files.ts";
import { type AgentDeps, serveAgent } from "../../../../../src/surfaces/mcp/stdio/serve-agent.ts";
import { tools } from "../../../../../src/tools/index.ts";
import { context } from "../../../../unit/tools/run-tool.ts";
import { type Answer, meta } from "../open.ts";
import { testRuntime } from "../../../../support/runtime.ts";

/** A client of one process, by its standard input and output. */
export interface Agent {
  /** Sends a line as it is. */
  write(line: string): void;
  /** Sends a request, in the way of revision 2026-07-28, and returns its answer. */
  ask(method: string, params?: object, id?: unknown): Promise<Answer>;
  /** The text of a result of a tool. */
  call(name: string, args: object): Promise<{ text: string; isError: boolean }>;
  /** Everything that the process has written. */
  output(): string;
  /** Messages that answer no request of `ask`. */
  others(): Answer[];
  /** Ends the input; resolves when the process has ended. */
  end(): Promise<void>;
  /** Bugs that were reported. */
  faults: unknown[];
}

export const catalog = createCatalog(tools);

/** A folder with these files. */
export function makeRoot(files: Record<string, string | Uint8Array> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "penknife-agent-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

/** Runs every tool in this process. */
export function createHereRunner(): AgentDeps["runner"] {
  return createRunner({
    catalog,
    admit: async (principal) => ({ principal }),
    isolate: async ({ slug, ...call }, signal) => {
      const answer = await execute(await catalog.get(slug), call, context);
      signal?.throwIfAborted();
      return answer;
    },
    context: { ...context, maxResultBytes: Infinity },
    inlineBytes: 65_536,
    runtime: testRuntime({ monotonic: () => 0 }),
    observe: () => undefined,
  });
}

/** An agent beside a server in this process. */
export function openAgent(given: Partial<AgentDeps> & { root: string }): Agent {
  const input = new PassThrough();
  const lines: string[] = [];
  const faults: unknown[] = [];
  const wrote = new PassThrough();
  const waiting = new Map<string, (answer: Answer) => void>();
  const others: Answer[] = [];
  const serving = serveAgent({
    catalog,
    runner: createHereRunner(),
    allowWrite: false,
    selection: undefined,
    disabled: [],
    files: createFiles(given.root),
    env: { PATH: process.env["PATH"] },
    width: 4,
    version: "1.2.3",
    runtime: testRuntime({ now: () => Date.UTC(2026, 0, 1), report: (error) => faults.push(error) }),
    uniqueName: () => randomBytes(8).toString("hex"),
    input,
    async write(text) {
      lines.push(text);
      const answer = JSON.parse(text) as Answer;
      const key = JSON.stringify(answer.id);
      const resolve = waiting.get(key);
      waiting.delete(key);
      if (resolve === undefined) others.push(answer);
      else resolve(answer);
    },
    sleep: async (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
    ...given,
  });
  onTestFinished(async () => {
    input.end();
    wrote.destroy();
    await serving;
  });
  let next = 0;

  async function ask(method: string, params: object = {}, id: unknown = ++next): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    waiting.set(JSON.stringify(id), resolve);
    const text = JSON.stringify({ jsonrpc: "2.0", id, method, params: { _meta: meta, ...params } });
    if (!input.write(`${text}\n`)) await once(input, "drain");
    return promise;
  }

  return {
    write: (line) => void input.write(`${line}\n`),
    ask,
    async call(name, args) {
      const { result, error } = await ask("tools/call", { name, arguments: args });
      if (result === undefined) throw new Error(JSON.stringify(error));
      const [block] = result["content"] as { text: string }[];
      return { text: block?.text ?? "", isError: result["isError"] === true };
    },
    output: () => lines.join(""),
    others: () => others,
    async end() {
      input.end();
      await serving;
    },
    faults,
  };
}
