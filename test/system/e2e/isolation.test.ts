import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repeats } from "../../support/cases.ts";
import {
  call,
  callTool,
  emptyFolder,
  executable,
  issueKey,
  penknife,
  type Reply,
  serve,
  type Server,
} from "./harness.ts";

// An abort of V8 ends only a worker process: the server answers the caller and keeps serving others.

const folder = emptyFolder();
const rounds = repeats(20);
let server: Server;
let key: string;

beforeAll(async () => {
  // Worker processes have a low priority: on a busy machine a second of work takes half a minute.
  server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "600000" });
  key = await issueKey(folder.path, "ci", "team");
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const poll: typeof expect.poll = (read, options) => {
  return expect.poll(read, { timeout: 60_000, interval: 20, ...options });
};

/** The fields of /proc/<pid>/stat from the third on: state, parent, and so on. */
const statOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");

/** The children of a process, including zombies. */
const childrenOf = (parent: number): number[] => {
  const tasks = `/proc/${parent}/task`;
  return readdirSync(tasks).flatMap((thread) => {
    try {
      return readFileSync(`${tasks}/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number);
    } catch {
      // The thread has ended.
      return [];
    }
  });
};

/** The worker that runs a call; an idle one sleeps in its pipe. */
function busyChild(): number | undefined {
  return childrenOf(server.child.pid ?? 0).find((pid) => {
    try {
      return statOf(pid)[0] === "R" && ticksOf(pid) > 10;
    } catch {
      return false;
    }
  });
}

/** CPU time of a process, in hundredths of a second. */
const ticksOf = (pid: number): number => Number(statOf(pid)[11]) + Number(statOf(pid)[12]);

const codeOf = ({ text }: Reply): string => (JSON.parse(text) as { code: string }).code;

/** A call that never ends by itself. */
const endless = { data: `${"a".repeat(60)}!`, pattern: "^(a|a)*$", engine: "js" };

const answers = async (): Promise<void> => {
  const input = { data: '{"a":[1,2]}', language: "jmespath", query: "a[1]" };
  const { status, text } = await callTool(server, "json-query", input, key);
  expect([status, text]).toEqual([200, '{"result":"2"}']);
};

describe("a query that makes a string too large for V8", () => {
  const join400 = `join('',[${Array.from({ length: 400 }, () => "@").join(",")}])`;
  const query = `${join400} | ${join400} | ${join400}`;
  const input = { data: '"一一一一"', language: "jmespath", query };
  const document = `query ($data: String!, $query: String!) { run { jsonQuery(input: { data: $data, query: $query, language: JMESPATH }) { result } } }`;
  const headers = { "GraphQL-Require-Preflight": "1" };

  test("is refused over REST with 422", async () => {
    const { status } = await callTool(server, "json-query", input, key);
    expect(status).toBe(422);
    await answers();
  });

  test.each(["GET", "POST"])("is refused by GraphQL (%s)", async (method) => {
    const { data } = input;
    const parts = { query: document, variables: { data, query } };
    const search = new URLSearchParams({ query: document, variables: JSON.stringify(parts.variables) });
    const url = `${server.url}/graphql`;
    const { text } =
      method === "GET"
        ? await call(`${url}?${search}`, { headers: { ...headers, Accept: "application/json" } })
        : await call(url, {
            method,
            headers: { ...headers, "Content-Type": "application/json" },
            body: JSON.stringify(parts),
          });
    expect(JSON.parse(text)).toMatchObject({
      data: { run: { jsonQuery: null } },
      errors: [{ path: ["run", "jsonQuery"], extensions: { code: "memory_exceeded" } }],
    });
    await answers();
  });
});

describe.runIf(process.platform === "linux")("a worker process that ends in the middle of a call", () => {
  test.each([
    ["SIGABRT", 422, "memory_exceeded"],
    ["SIGTRAP", 422, "memory_exceeded"],
    ["SIGKILL", 503, "overloaded"],
  ] as const)(
    "with %s costs that call alone: %i %s",
    async (signal, status, code) => {
      const reply = callTool(server, "regex-tester", endless, key);
      await poll(busyChild).toBeDefined();
      process.kill(busyChild() ?? 0, signal);
      const answer = await reply;
      expect([answer.status, codeOf(answer)]).toEqual([status, code]);
      expect(answer.text).not.toMatch(/signal|SIG|core|\/(?:proc|work|tmp)\//);
      await answers();
    },
    120_000,
  );

  test("is counted with its outcome, and logged once", async () => {
    const { text } = await call(`${server.url}/metrics`);
    expect(text).toMatch(/^penknife_worker_events_total\{place="process",event="abort"\} [1-9]/m);
    expect(text).toMatch(/^penknife_worker_events_total\{place="process",event="killed"\} 1$/m);
    const lines = (): string[] =>
      server
        .stdout()
        .split("\n")
        .filter((line) => line.includes("a worker was ended"));
    await poll(() => lines().map((line) => (JSON.parse(line) as { reason: string }).reason)).toEqual([
      "abort",
      "abort",
      "killed",
    ]);
    expect(lines().join("\n")).not.toContain("aaaa");
  });

  test("several times in a row leaves no process, no zombie and no open file behind", async () => {
    const own = server.child.pid ?? 0;
    const openFiles = (): number => readdirSync(`/proc/${own}/fd`).length;
    await answers();
    const before = openFiles();
    for (let round = 0; round < rounds; round++) {
      const reply = callTool(server, "regex-tester", endless, key);
      await poll(busyChild).toBeDefined();
      process.kill(busyChild() ?? 0, "SIGABRT");
      expect((await reply).status).toBe(422);
      expect(childrenOf(own).length).toBeLessThanOrEqual(4);
    }
    await answers();
    await poll(() => childrenOf(own).filter((pid) => statOf(pid)[0] === "Z")).toEqual([]);
    // One more worker has four pipes.
    await poll(openFiles).toBeLessThanOrEqual(before + 4);
  }, 300_000);

  test("opens no debugger at a signal", async () => {
    const [worker = 0] = childrenOf(server.child.pid ?? 0);
    for (const pid of [server.child.pid ?? 0, worker]) {
      const handled = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
      // Bit 9 is SIGUSR1, which Node handles by default.
      expect((BigInt(`0x${handled}`) >> 9n) & 1n).toBe(0n);
    }
  });

  test("a signal from the terminal or systemd to the whole process group ends no call", async () => {
    const reply = callTool(server, "regex-tester", { ...endless, data: `${"a".repeat(23)}!` }, key);
    await poll(busyChild).toBeDefined();
    const workers = childrenOf(server.child.pid ?? 0);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      for (const worker of workers) process.kill(worker, signal);
    expect((await reply).status).toBe(200);
    await answers();
    expect(childrenOf(server.child.pid ?? 0)).toEqual(expect.arrayContaining(workers));
  }, 600_000);

  test("worker processes end with a killed server, even in the middle of a call", async () => {
    const other = emptyFolder();
    const victim = await serve(other.path, { PENKNIFE_TOOLS_DEADLINE_MS: "600000" });
    const left = callTool(victim, "regex-tester", endless).catch(() => "gone");
    const busy = (): number[] => childrenOf(victim.child.pid ?? 0).filter((pid) => ticksOf(pid) > 20);
    await poll(() => busy().length).toBe(1);
    const workers = childrenOf(victim.child.pid ?? 0);
    await victim.stop("SIGKILL");
    expect(await left).toBe("gone");
    const alive = (): number[] => workers.filter((pid) => existsSync(`/proc/${pid}`));
    await poll(alive).toEqual([]);
    other.remove();
  }, 120_000);
});

describe("options of Node", () => {
  const place = emptyFolder();
  const evil = join(place.path, "evil.js");
  const mark = join(place.path, "ran");
  const name = "--node-options=--require=./evil.js";
  writeFileSync(evil, `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "")`);
  mkdirSync(join(place.path, "--node-options=--require=."));
  writeFileSync(join(place.path, name), "{}");
  afterAll(() => place.remove());

  test.each([
    ["a file's name", ["check", "json-validator", "--", name]],
    ["what a pattern finds", ["check", "json-validator", "--", "*evil.js"]],
    ["a name without --", ["check", "json-validator", name]],
    ["a name of run", ["run", "json-query", "--query", "$", "--", name]],
  ])("in %s load no code", async (_, args) => {
    await penknife(place.path, args);
    expect(readdirSync(place.path)).not.toContain("ran");
  });

  test.each([["serve"], ["tools"], ["run", "uuid-generator"], ["--version"]])(
    "in the environment are refused by penknife %s",
    async (...args) => {
      const env = { NODE_OPTIONS: "--max-old-space-size=100" };
      const { status, stderr, stdout } = await penknife(place.path, args, { env });
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("NODE_OPTIONS is set");
      expect(stderr).toContain("env -u NODE_OPTIONS");
    },
  );

  test("cannot turn a command into a worker", async () => {
    for (const env of [{}, { NODE_OPTIONS: "--permission --allow-fs-read=* --max-old-space-size=100" }]) {
      const { status, stdout, stderr } = await penknife(place.path, ["--penknife-worker"], { env });
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("it is not a command");
    }
  });
});

test.runIf(process.platform === "linux")(
  "reports an abort at the command line as an error of penknife, not in V8's words",
  async () => {
    const args = ["run", "regex-tester", "--pattern", endless.pattern, "--engine", "js"];
    const env = { PATH: "", PENKNIFE_TOOLS_DEADLINE_MS: "60000" };
    const command = spawn(executable, args, { cwd: folder.path, env });
    let stderr = "";
    command.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    command.stdin.end(endless.data);
    const worker = (): number | undefined => childrenOf(command.pid ?? 0).find((pid) => ticksOf(pid) > 20);
    await poll(worker).toBeDefined();
    process.kill(worker() ?? 0, "SIGABRT");
    const [status] = (await once(command, "close")) as [number];
    expect(status).toBe(1);
    expect(stderr).toMatch(/would not fit into memory/);
    expect(stderr).not.toMatch(/FATAL|SIGABRT|node:internal/);
  },
  120_000,
);
