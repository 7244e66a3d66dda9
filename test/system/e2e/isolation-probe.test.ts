import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromRequest, toParts } from "../../../src/catalog/frames.ts";
import { workerCommand } from "../../../src/lib/load.ts";
import { sandboxOptions, sandboxWord } from "../../../src/lib/sandbox.ts";
import { executable } from "./harness.ts";

// A worker process as a server starts it, except that it may also read the probe, which tries every way out.

const folder = mkdtempSync(join(tmpdir(), "penknife-probe-"));
const probe = new URL("isolation-probe.cjs", import.meta.url).pathname;
let accepted = 0;
const listeners: Server[] = [];
let target = "";

beforeAll(async () => {
  const tcp = createServer(() => accepted++).listen(0, "127.0.0.1");
  const file = createServer(() => accepted++).listen(join(folder, "socket"));
  listeners.push(tcp, file);
  await Promise.all(listeners.map((one) => once(one, "listening")));
  target = JSON.stringify({ port: (tcp.address() as AddressInfo).port, folder });
});
afterAll(() => {
  for (const one of listeners) one.close();
  rmSync(folder, { recursive: true, force: true });
});

const readable = [`--allow-fs-read=${probe}`, `--require=${probe}`];

function start(form: string): ChildProcess {
  const stdio = ["pipe", "pipe", "pipe", "pipe"] as const;
  if (form === "the executable") {
    const env = { NODE_OPTIONS: [...sandboxOptions(128), ...readable].join(" ") };
    return spawn(executable, [sandboxWord, target], { env, cwd: "/", stdio: [...stdio] });
  }
  const { command, args } = workerCommand(128);
  return spawn(command, [...readable, ...args, target], { env: {}, cwd: "/", stdio: [...stdio] });
}

describe.each(["the executable", "a source tree"])("a worker process of %s", (form) => {
  test("opens no file and no socket, starts no process and no thread, and loads no code", async () => {
    const child = start(form);
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stdout?.resume();
    // An endless call, so that the probe's asynchronous attempts can finish.
    const frame = fromRequest({
      kind: "call",
      call: {
        slug: "json-query",
        body: { kind: "input", input: { data: "1", language: "jsonata", query: '{"then": /x/}' } },
        form: "text",
        check: false,
      },
    });
    for (const part of toParts(frame)) child.stdin?.write(part);
    try {
      await expect.poll(() => said, { timeout: 60_000 }).toMatch(/^outcomes .*\n/m);
    } finally {
      child.kill("SIGKILL");
    }
    const outcomes = JSON.parse(/^outcomes (.*)$/m.exec(said)?.[1] ?? "{}") as Record<string, string>;
    expect(Object.keys(outcomes).length).toBeGreaterThan(30);
    const refusals =
      /^ERR_ACCESS_DENIED$|^ERR_DLOPEN_DISABLED$|is not a (?:function|constructor)|Cannot read properties of undefined/;
    expect(Object.entries(outcomes).filter(([, outcome]) => !refusals.test(outcome))).toEqual([]);
    expect(accepted).toBe(0);
    expect(readdirSync(folder)).toEqual(["socket"]);
  }, 120_000);
});
