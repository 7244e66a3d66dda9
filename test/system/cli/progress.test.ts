import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createProgress, renderProgress } from "../../../src/surfaces/cli/progress.ts";
import { createTestHost, type Given, makeFolder, penknife } from "./host.ts";
import { testRuntime } from "../../support/runtime.ts";

describe("the line", () => {
  test.each([
    [0, 4, 20, "[.............] 0/4"],
    [1, 4, 20, "[###..........] 1/4"],
    [4, 4, 20, "[#############] 4/4"],
    [7, 120, 30, "[#..................]   7/120"],
    [1, 2, 12, "[##...] 1/2"],
    [1, 2, 11, "1/2"],
    [1, 2, 4, "1/2"],
    [1, 2, 3, ""],
  ])("%i of %i on %i columns", (done, total, columns, line) => {
    expect(renderProgress(done, total, columns)).toBe(line);
    expect(line.length).toBeLessThan(columns);
  });

  test("has a fixed width that is not larger than needed", () => {
    const lines = Array.from({ length: 1001 }, (_, done) => renderProgress(done, 1000, 300));
    expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([42 + 10]));
  });
});

describe("on a terminal", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => void vi.useRealTimers());

  function start(given: Given = {}, total = 4) {
    let time = 0;
    const faked = createTestHost({
      tty: { stderr: true },
      ...given,
      host: { runtime: testRuntime({ monotonic: () => time }), ...given.host },
    });
    const progress = createProgress(faked.host, total);
    const pass = (ms: number) => {
      time += ms;
      vi.advanceTimersByTime(ms);
    };
    return { ...faked, progress, pass, shown: () => toPlain(faked.seen().stderr) };
  }

  test("it appears for slow work, advances and disappears", () => {
    const { progress, pass, shown } = start();
    progress.advance();
    pass(200);
    expect(shown()).toBe("");
    pass(100);
    const first = `\r${renderProgress(1, 4, 100)}␛[K`;
    expect(shown()).toBe(first);
    pass(1000);
    expect(shown()).toBe(first);
    progress.advance();
    progress.advance();
    pass(100);
    const second = `${first}\r${renderProgress(3, 4, 100)}␛[K`;
    expect(shown()).toBe(second);
    progress.end();
    progress.end();
    pass(1000);
    expect(shown()).toBe(`${second}\r␛[K`);
  });

  test("it is erased before other output and drawn again", () => {
    const { progress, pass, shown } = start();
    progress.clear();
    expect(shown()).toBe("");
    pass(300);
    progress.clear();
    progress.clear();
    const line = `\r${renderProgress(0, 4, 100)}␛[K`;
    expect(shown()).toBe(`${line}\r␛[K`);
    pass(100);
    expect(shown()).toBe(`${line}\r␛[K${line}`);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s finds it gone, and then ends the process",
    (signal) => {
      const { pass, send, raised, listening, shown } = start();
      pass(300);
      send(signal);
      expect(shown()).toMatch(/\r␛\[K$/);
      expect(raised).toEqual([signal]);
      // No handler is left, so the raised signal has its default effect.
      for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) expect(listening(name)).toBe(false);
      const before = shown();
      pass(1000);
      expect(shown()).toBe(before);
    },
  );

  test.each<[string, Given, number]>([
    ["one piece", {}, 1],
    ["standard error is no terminal", { tty: { stderr: false, stdout: true } }, 4],
    ["the terminal cannot erase", { env: { TERM: "dumb" } }, 4],
    ["a build server keeps every line", { env: { CI: "true" } }, 4],
  ])("there is none if %s", (_, given, total) => {
    const { progress, pass, listening, shown } = start(given, total);
    progress.advance();
    pass(5000);
    progress.end();
    expect(shown()).toBe("");
    expect(listening("SIGINT")).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([{ NO_COLOR: "1" }, { CI: "false" }, { CI: "" }, { TERM: "xterm" }])(
    "it contains no colours: %j",
    (env) => {
      const { pass, shown } = start({ env });
      pass(300);
      expect(shown()).toMatch(/^\r\[/);
      expect(shown()).not.toMatch(/␛\[[\d;]*m/);
    },
  );

  test("a closed terminal is not an error", () => {
    const stderr = { isTTY: true, write: () => Promise.reject(new Error("write EIO")) };
    const { progress, pass } = start({ host: { stderr } });
    pass(300);
    expect(() => progress.end()).not.toThrow();
  });
});

describe("a check", () => {
  const files = { "a.json": "[1 2]", "b.json": "{}", "c.json": "[3 4]" };
  /** A folder whose files take `ms` each to read, and a terminal that renders its input. */
  async function check(ms: number, words: readonly string[], tty: Given["tty"]) {
    const cwd = makeFolder(files);
    const { host } = createTestHost({ cwd });
    let screen = "";
    const terminal = {
      isTTY: true,
      columns: 40,
      write: async (chunk: string | Uint8Array) => void (screen += String(chunk)),
    };
    const slow = {
      ...host.files,
      readBytes: async (path: string, most: number) => {
        await new Promise((resolve) => setTimeout(resolve, path.endsWith("a.json") ? 1 : ms));
        return host.files.readBytes(path, most);
      },
    };
    const { status } = await penknife(["check", "json-validator", ...words], {
      cwd,
      host: {
        files: slow,
        ...(tty?.stdout === true && { stdout: terminal }),
        ...(tty?.stderr === true && { stderr: terminal }),
      },
    });
    return { status, screen: toPlain(screen), lines: toScreen(toPlain(screen)) };
  }

  test("shows one line at the bottom, with intact findings above it", async () => {
    const { status, screen, lines } = await check(700, ["*.json"], { stdout: true, stderr: true });
    expect(status).toBe(1);
    expect(screen).toMatch(/\r\[#+\.+\] 1\/3␛\[K/);
    expect(lines.map((line) => line.replaceAll(/␛\[\d+m/g, ""))).toEqual([
      expect.stringMatching(/^a\.json:1:4: .+ \(syntax\)$/),
      expect.stringMatching(/^c\.json:1:4: .+ \(syntax\)$/),
      "3 files checked, 2 findings in 2 files",
      "",
    ]);
  });

  test("keeps it out of a pipe", async () => {
    const { screen } = await check(700, ["*.json"], { stdout: true });
    expect(screen).not.toMatch(/[\r#]|␛\[K/);
  });

  test("shows none for a single file or for fast work", async () => {
    expect((await check(700, ["b.json"], { stdout: true, stderr: true })).screen).not.toContain("␛[K");
    expect((await check(1, ["*.json"], { stdout: true, stderr: true })).screen).not.toContain("␛[K");
  });

  test("erases it before a usage error is printed", async () => {
    const { status, lines } = await check(700, ["a.json", "b.json", "--duplicate-keys=x"], { stderr: true });
    expect(status).toBe(2);
    expect(lines).toEqual([expect.stringMatching(/--duplicate-keys/), ""]);
  });
});

/** Makes escape sequences readable. */
const toPlain = (sent: string): string => sent.replaceAll("\u001b", "␛");

/** Renders terminal output: `\r` returns to the first column, `ESC [ K` clears the rest of the line. */
function toScreen(sent: string): string[] {
  return sent.split("\n").map((line) => {
    let shown = "";
    let column = 0;
    for (const [piece] of line.matchAll(/\r|␛\[K|[^\r␛]+|␛\[\d+m/g)) {
      if (piece === "\r") column = 0;
      else if (piece === "␛[K") shown = shown.slice(0, column);
      else {
        shown = shown.slice(0, column) + piece + shown.slice(column + piece.length);
        column += piece.length;
      }
    }
    return shown;
  });
}
