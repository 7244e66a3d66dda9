import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freePort } from "../../../config/free-port.ts";
import { readText, readUnit } from "../config/operating/files.ts";
import { call, emptyFolder, executable, penknife } from "./harness.ts";

const unit = readUnit(readText("config/penknife.service"));
const valuesOf = (name: string): string[] =>
  unit.filter((line) => line.name === name).flatMap(({ value }) => value.split(" "));

/** The system calls that the unit allows (systemd 252): @system-service without @privileged and @resources, plus setpriority. */
const allowed = new Set(
  readFileSync(new URL("system-calls.txt", import.meta.url), "utf8")
    .trim()
    .split(/\s+/),
);

const systemd = spawnSync("systemd-analyze", ["--version"]).error === undefined;
// Skipped in containers that forbid tracing.
const traceable = spawnSync("strace", ["-f", "true"]).status === 0;

describe.runIf(traceable)("a server under config/penknife.service", () => {
  const folder = emptyFolder();
  const state = join(folder.path, "var/lib/penknife");
  let trace: string[] = [];

  beforeAll(async () => {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    trace = await live(folder.path, state);
  }, 120_000);
  afterAll(() => folder.remove());

  it("makes no system call that the unit forbids", () => {
    const made = new Set(trace.flatMap((line) => /^\d+ +(?:<\.\.\. )?(\w+)[( ]/.exec(line)?.[1] ?? []));
    expect(made.size).toBeGreaterThan(40);
    // As root, which the unit's user is not, SQLite gives the files beside a database its owner.
    const asRoot = process.getuid?.() === 0 ? ["fchown"] : [];
    expect([...made].filter((name) => !allowed.has(name) && !asRoot.includes(name))).toEqual([]);
    // Workers lower their priority with it; the rest of the group @resources is forbidden.
    expect(made).toContain("setpriority");
  });

  it("opens no socket of a family that the unit forbids", () => {
    const families = new Set(trace.flatMap((line) => /\bsocket(?:pair)?\((AF_\w+)/.exec(line)?.[1] ?? []));
    expect(families).toContain("AF_UNIX");
    expect([...families].filter((name) => !valuesOf("RestrictAddressFamilies").includes(name))).toEqual([]);
  });

  it("writes only to its own paths", () => {
    const opened = trace.flatMap((line) => {
      const [, path, flags = ""] = /\bopen(?:at)?\((?:AT_FDCWD, )?"([^"]+)", ([A-Z_|]+)/.exec(line) ?? [];
      return path !== undefined && /O_WRONLY|O_RDWR|O_CREAT/.test(flags) ? [path] : [];
    });
    const changed = trace.flatMap((line) => {
      const [, path] =
        /\b(?:mkdir|rename|unlink|rmdir|chmod|link|symlink)(?:at)?\((?:AT_FDCWD, )?"([^"]+)"/.exec(line) ??
        [];
      return path ?? [];
    });
    expect(opened.length).toBeGreaterThan(3);
    expect(changed.length).toBeGreaterThan(3);
    // PrivateDevices provides /dev/null; files in /proc of its own workers set their OOM score.
    const elsewhere = [...opened, ...changed].filter(
      (path) =>
        !path.startsWith(state) &&
        path !== "/dev/null" &&
        !/^\/proc\/\d+\/(?:oom_score_adj|coredump_filter)$/.test(path),
    );
    expect(elsewhere).toEqual([]);
  });

  it.runIf(systemd)("is given these system calls by systemd", () => {
    const sets = new Map<string, string[]>();
    let name = "";
    for (const line of spawnSync("systemd-analyze", ["syscall-filter"], { encoding: "utf8" }).stdout.split(
      "\n",
    )) {
      if (line.startsWith("@")) sets.set((name = line), []);
      else if (/^ {4}[@\w]/.test(line)) sets.get(name)?.push(line.trim());
    }
    const expand = (one: string): string[] =>
      one.startsWith("@") ? (sets.get(one) ?? []).flatMap(expand) : [one];
    const given = new Set<string>();
    for (const { value } of unit.filter((line) => line.name === "SystemCallFilter")) {
      const names = value.replace("~", "").split(" ").flatMap(expand);
      for (const one of names) {
        if (value.startsWith("~")) given.delete(one);
        else given.add(one);
      }
    }
    expect([...allowed].filter((one) => !given.has(one))).toEqual([]);
  });
});

/** Traces a server from its start to SIGTERM under all kinds of requests; each line is a system call. */
async function live(folder: string, state: string): Promise<string[]> {
  const port = await freePort();
  const file = join(folder, "trace");
  const env = {
    PATH: process.env["PATH"] ?? "",
    PENKNIFE_STORAGE_PATH: state,
    PENKNIFE_SERVER_PORT: String(port),
  };
  // -D makes the server our child, so that it receives the signals.
  const child = spawn("strace", ["-D", "-f", "-qq", "-o", file, executable, "serve"], {
    cwd: folder,
    env,
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  const post = async (slug: string, body: object): Promise<void> => {
    const headers = { "Content-Type": "application/json" };
    const { status } = await call(`${url}/api/tools/${slug}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    expect(status).toBe(200);
  };
  await vi.waitFor(() => call(`${url}/readyz`), { timeout: 60_000, interval: 100 });
  // On the main thread, in a worker, and as bytes sent to a worker.
  await post("json-formatter", { data: "[1]" });
  await post("regex-tester", { data: "aaa", pattern: "a+" });
  await post("json-formatter", { data: JSON.stringify(Array.from({ length: 50_000 }, (_, at) => at)) });
  expect((await call(`${url}/metrics`)).status).toBe(200);
  await vi.waitFor(
    async () => {
      const line = ["admin", "accounts", "create", "ci", "--plan", "pro"];
      expect((await penknife(folder, line, { env: { PENKNIFE_STORAGE_PATH: state } })).status).toBe(0);
    },
    { timeout: 60_000, interval: 200 },
  );
  child.kill("SIGHUP");
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill("SIGTERM");
  const [status] = (await ended) as [number | null];
  expect(status).toBe(0);
  // The tracer ends shortly after the server.
  return vi.waitFor(
    () => {
      const text = readFileSync(file, "utf8");
      expect(text).toMatch(/exit_group\(0\b/);
      return text.split("\n");
    },
    { timeout: 60_000 },
  );
}
