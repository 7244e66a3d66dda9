import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createLog, type LogOptions } from "../../../../src/services/telemetry/log.ts";
import type { RequestEntry } from "../../../../src/services/telemetry/log-entry.ts";
import { testRuntime } from "../../../support/runtime.ts";

const entry: RequestEntry = {
  requestId: "id",
  method: "POST",
  path: "/api/tools/json-formatter",
  status: 200,
  durationMs: 1.23456,
  bytesIn: 10,
  bytesOut: 20,
  ip: "192.0.2.1",
  account: "acme",
  keyId: "key_0123456789abcdef0123",
  sessionId: "ses_0123456789abcdef0123",
  tool: "json-formatter",
  operation: "query",
  outcome: "ok",
};

function open(options: Partial<LogOptions> = {}) {
  const writes: string[] = [];
  const log = createLog({
    write: (lines) => void writes.push(lines),
    level: "info",
    format: "json",
    runtime: testRuntime({ now: () => Date.UTC(2026, 10, 21, 12, 34, 56, 789) }),
    ...options,
  });
  return { log, writes };
}

test("a request is one line of JSON", () => {
  const { log, writes } = open();
  log.request("info", entry);
  log.flush();
  expect(writes).toHaveLength(1);
  expect(writes[0]).toMatch(/^[^\n]*\n$/);
  expect(JSON.parse(writes[0] ?? "")).toEqual({
    time: "2026-11-21T12:34:56.789Z",
    level: "info",
    message: "request",
    ...entry,
    durationMs: 1.235,
  });
});

test("unknown values are omitted", () => {
  const { log, writes } = open();
  log.request("info", { ...entry, account: "", keyId: "", sessionId: "", tool: "", operation: "" });
  log.flush();
  const line = JSON.parse(writes[0] ?? "") as object;
  for (const name of ["account", "keyId", "sessionId", "tool", "operation"])
    expect(line).not.toHaveProperty(name);
});

test.each(["/a\nb", '/a"b', "/a\\b", "/a\u0000", "/\u001B[31m", "/ä€", "/\u2028", "/\ud800"])(
  "the path %j neither breaks the line nor forges one",
  (path) => {
    for (const format of ["json", "text"] as const) {
      const { log, writes } = open({ format });
      log.request("info", { ...entry, path });
      log.flush();
      const text = writes.join("");
      if (format === "json") expect((JSON.parse(text) as RequestEntry).path).toBe(path);
      expect(text.split("\n")).toHaveLength(2);
      expect(text).not.toContain("\u001B");
      expect(text).not.toContain("\u0000");
    }
  },
);

test("all lines of one turn of the event loop are one write", async () => {
  const { log, writes } = open();
  for (let index = 0; index < 10; index++) log.request("info", entry);
  expect(writes).toHaveLength(0);
  await turn();
  expect(writes).toHaveLength(1);
  expect(writes[0]?.split("\n")).toHaveLength(11);
});

describe("request lines within five milliseconds of the last write", () => {
  function openAt() {
    const clock = { time: 1_000 };
    return { clock, ...open({ runtime: testRuntime({ now: () => clock.time }) }) };
  }

  async function writeFirst(opened: ReturnType<typeof openAt>): Promise<void> {
    opened.log.request("info", entry);
    await turn();
    expect(opened.writes).toHaveLength(1);
  }

  test("are one write later, over many turns", async () => {
    const opened = openAt();
    const { log, writes } = opened;
    await writeFirst(opened);
    for (let index = 0; index < 10; index++) {
      log.request("info", entry);
      await turn();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(writes.slice(1).join("").split("\n")).toHaveLength(11);
    expect(writes.length).toBeLessThan(11);
  });

  test("do not delay an event, which is written with them", async () => {
    const opened = openAt();
    await writeFirst(opened);
    opened.log.request("info", entry);
    opened.log.event("warn", "an event");
    await turn();
    expect(opened.writes).toHaveLength(2);
    expect(opened.writes[1]?.split("\n")).toHaveLength(3);
  });

  test.each([
    ["after a pause", 5],
    ["after the clock was set back", -3_600_000],
  ])("are written at once %s", async (_, change) => {
    const opened = openAt();
    await writeFirst(opened);
    opened.clock.time += change;
    opened.log.request("info", entry);
    await turn();
    expect(opened.writes).toHaveLength(2);
  });
});

test.each([
  ["debug", ["debug", "info", "warn", "error"]],
  ["info", ["info", "warn", "error"]],
  ["warn", ["warn", "error"]],
  ["error", ["error"]],
  ["silent", []],
] as const)("level %s", (level, shown) => {
  const { log, writes } = open({ level });
  for (const own of ["debug", "info", "warn", "error"] as const) {
    log.event(own, "text");
    expect(log.enabled(own)).toBe((shown as readonly string[]).includes(own));
  }
  log.flush();
  const levels = writes
    .join("")
    .split("\n")
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { level: string }).level);
  expect(levels).toEqual(shown);
});

describe("a failing writer", () => {
  test("that throws has no effect on callers", async () => {
    const { log } = open({
      write: () => {
        throw Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
      },
    });
    log.request("info", entry);
    await turn();
    log.request("info", entry);
    expect(() => log.flush()).not.toThrow();
  });

  test("that rejects has no effect on callers, and is tried again", async () => {
    let calls = 0;
    const { log } = open({ write: () => Promise.reject(new Error(`broken ${calls++}`)) });
    log.request("info", entry);
    log.flush();
    await turn();
    log.request("info", entry);
    log.flush();
    expect(calls).toBe(2);
  });

  test("that is blocked is not flooded: lines wait up to the limit, then they are counted", async () => {
    const gate = Promise.withResolvers<void>();
    const writes: string[] = [];
    const { log } = open({
      capacity: 1000,
      write: (lines) => {
        writes.push(lines);
        return writes.length === 1 ? gate.promise : undefined;
      },
    });
    log.event("info", "first");
    log.flush();
    for (let index = 0; index < 100; index++) log.event("info", "x".repeat(40));
    await turn();
    expect(writes).toHaveLength(1);
    const lost = log.dropped();
    expect(lost).toBeGreaterThan(80);
    gate.resolve();
    await turn();
    expect(writes).toHaveLength(2);
    expect(writes[1]?.length).toBeLessThan(1200);
    expect(writes[1]).toContain(`"message":"log lines were dropped","count":${lost}`);
  });
});

test("text is readable by people", () => {
  const { log, writes } = open({ format: "text", color: true });
  log.request("info", { ...entry, status: 404, outcome: "unknown_tool" });
  log.event("error", "it failed", { error: "Error: no\n    at here" });
  log.flush();
  const text = writes.join("");
  expect(text).toContain(
    "12:34:56.789 \u001B[33m404\u001B[39m POST /api/tools/json-formatter query 1.235 ms",
  );
  expect(text).toContain("unknown_tool");
  expect(text).toContain("error it failed");
  expect(text).toContain("\n    at here");
});
