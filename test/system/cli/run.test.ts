import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder, penknife } from "./host.ts";
import type { PoolOptions } from "../../../src/surfaces/cli/host.ts";

describe("input", () => {
  test("is a file, standard input, or - for standard input", async () => {
    const cwd = makeFolder({ "a.json": '{"a":1}' });
    const expected = { status: 0, stdout: '{\n  "a": 1\n}\n' };
    expect(await penknife(["run", "json-formatter", "a.json"], { cwd })).toMatchObject(expected);
    expect(await penknife(["run", "json-formatter"], { stdin: '{"a":1}' })).toMatchObject(expected);
    expect(await penknife(["run", "json-formatter", "-"], { stdin: '{"a":1}' })).toMatchObject(expected);
  });

  test("a file named like an option follows --", async () => {
    const cwd = makeFolder({ "--indent": "[1]" });
    expect(await penknife(["run", "json-minifier", "--", "--indent"], { cwd })).toMatchObject({
      stdout: "[1]\n",
    });
  });

  test("a tool without a document does not read standard input", async () => {
    const stdin = {
      isTTY: false,
      readAll: () => new Promise<Uint8Array>(() => undefined),
      readOrStream: () => expect.unreachable(),
      chunks: () => expect.unreachable(),
    };
    const { status, stdout } = await penknife(["run", "uuid-generator"], { host: { stdin } });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^[0-9a-f-]{36}\n$/);
  });

  test("reports that it reads from the terminal", async () => {
    const ran = await penknife(["run", "json-minifier"], { stdin: "1", tty: { stdin: true } });
    expect(ran).toMatchObject({ status: 0, stdout: "1\n" });
    expect(ran.stderr).toContain("Ctrl-D");
  });

  test.each([
    [
      "nope.json",
      "nope.json cannot be read: there is no such file. To pass it as text: penknife run json-formatter --text nope.json",
    ],
    [".", ". cannot be read: it is a folder"],
  ])("%s", async (file, message) => {
    const cwd = makeFolder();
    expect(await penknife(["run", "json-formatter", file], { cwd })).toMatchObject({
      status: 2,
      stderr: `penknife: ${message}\n`,
    });
  });
});

describe("options", () => {
  const run = (...words: string[]) =>
    penknife(["run", "json-formatter", ...words], { stdin: '{"b":1,"a":2}' });

  test.each([
    [["--indent", "0"], '{"b":1,"a":2}'],
    [["--indent=0", "--sort-keys"], '{"a":2,"b":1}'],
    [["--indent=0", "--sort-keys=true"], '{"a":2,"b":1}'],
    [["--indent=0", "--sort-keys=false"], '{"b":1,"a":2}'],
    [["--indent=0", "--no-sort-keys"], '{"b":1,"a":2}'],
    [["--sort-keys", "--indent", "0", "-"], '{"a":2,"b":1}'],
  ])("%s", async (words, stdout) => {
    expect(await run(...words)).toMatchObject({ status: 0, stdout: `${stdout}\n`, stderr: "" });
  });

  test.each([
    [["--indent", "x"], /^penknife: --indent must be an integer, got "x"\.\n$/],
    [["--indent", "-2"], /^penknife: --indent must be 0 to 10, got -2\.\n$/],
    [["--indent", "99"], /^penknife: --indent must be 0 to 10, got 99\.\n$/],
    [["--indent", "1.5"], /^penknife: --indent must be an integer, got 1\.5\.\n$/],
    [["--duplicate-keys", "drop"], /^penknife: --duplicate-keys must be one of .*; got "drop"\.\n$/],
  ])("%s is refused with the name of the option", async (words, message) => {
    const { status, stdout, stderr } = await run(...words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("a value may have any form", async () => {
    const ran = await penknife(["run", "regex-tester", "--pattern=--x", "--limit=1"], { stdin: "a--x" });
    expect(JSON.parse(ran.stdout)).toMatchObject({ count: 1 });
  });

  test("a missing required option is reported", async () => {
    expect(await penknife(["run", "regex-tester"], { stdin: "a" })).toMatchObject({
      status: 2,
      stderr: "penknife: --pattern is missing. Run penknife run regex-tester --help for usage.\n",
    });
  });

  test("reads the configuration, and refuses a disabled tool", async () => {
    const env = { PENKNIFE_TOOLS_DISABLED: "json-formatter" };
    expect(await penknife(["run", "json-formatter"], { stdin: "1", env })).toMatchObject({
      status: 2,
      stderr:
        "penknife: json-formatter is switched off by tools.disabled (environment PENKNIFE_TOOLS_DISABLED).\n",
    });
  });
});

describe("output", () => {
  test("writes exact bytes, but not to a terminal", async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    const text = (await penknife(["run", "base64-encoder"], { stdin: all })).stdout;
    expect(text).toBe(all.toString("base64"));
    expect((await penknife(["run", "base64-decoder"], { stdin: text })).bytes).toEqual(all);
    const ran = await penknife(["run", "base64-decoder"], { stdin: text, tty: { stdout: true } });
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain("--out FILE");
  });

  test("--out writes a file, and leaves it unchanged without a result", async () => {
    const cwd = makeFolder({ "a.json": '{"a":1}', "bad.json": "{" });
    const run = (file: string) => penknife(["run", "json-formatter", "--out", "a.json", file], { cwd });
    expect(await run("bad.json")).toMatchObject({ status: 1, stdout: "" });
    expect(readFileSync(join(cwd, "a.json"), "utf8")).toBe('{"a":1}');
    expect(await run("a.json")).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(readFileSync(join(cwd, "a.json"), "utf8")).toBe('{\n  "a": 1\n}\n');
  });
});

describe("an invalid document", () => {
  const refused = async (stdin: string | Uint8Array, slug = "json-formatter", ...words: string[]) => {
    const ran = await penknife(["run", slug, ...words], { stdin });
    expect(ran).toMatchObject({ status: 1, stdout: "" });
    return ran.stderr;
  };

  test("is reported with its place and shown", async () => {
    const cwd = makeFolder({ "a.json": '{\n  "é": [1 2]\n}\n' });
    const { status, stderr } = await penknife(["run", "json-formatter", "a.json"], { cwd });
    expect(status).toBe(1);
    const [message, line, caret] = stderr.split("\n");
    expect(message).toMatch(/^penknife: a\.json:2:11: /);
    expect(line).toBe('2 |   "é": [1 2]');
    expect(caret).toBe(`${" ".repeat(4 + 10)}^`);
  });

  test("is shown in part if its line is long", async () => {
    const stderr = await refused(`[${"1,".repeat(100_000)}x${",1".repeat(100_000)}]`);
    const [, line = "", caret = ""] = stderr.split("\n");
    expect(line.length).toBeLessThan(140);
    expect(line).toMatch(/^1 \| ….*…$/);
    expect([...line][caret.length - 1]).toBe("x");
  });

  test("cannot control the terminal", async () => {
    const stderr = await refused('{"\u001b[2J\u202e": \u0007}');
    for (const character of ["\u0007", "\u001b", "\u202e"]) expect(stderr).not.toContain(character);
    expect(stderr).toContain("␛[2J");
  });

  test("is reported with the byte that is not UTF-8", async () => {
    expect(await refused(Buffer.from([0x22, 0xff, 0x22]))).toMatch(/^penknife: <stdin>:1:2: /);
    expect(await refused(Buffer.from([0x61, 0xff]), "regex-tester", "--pattern=a")).toMatch(
      /^penknife: <stdin>:1:2: .*UTF-8/,
    );
  });

  test("is given up at the deadline", async () => {
    const env = { PENKNIFE_TOOLS_DEADLINE_MS: "300" };
    const words = ["run", "regex-tester", "--engine=js", "--pattern=^(a|a)*$"];
    const ran = await penknife(words, { stdin: `${"a".repeat(60)}!`, env });
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(ran.stderr).toMatch(/^penknife: .*\n$/);
  });
});

test("the deadline is that of the configuration, and longer than a server's if there is none", async () => {
  const deadlines: number[] = [];
  const createPool = async ({ deadlineMs }: PoolOptions): Promise<never> => {
    deadlines.push(deadlineMs);
    throw new Error("This test has no workers");
  };
  const words = ["run", "regex-tester", "--pattern=a"];
  await penknife(words, { stdin: "a", program: { createPool } });
  await penknife(words, {
    stdin: "a",
    program: { createPool },
    env: { PENKNIFE_TOOLS_DEADLINE_MS: "5000" },
  });
  expect(deadlines).toEqual([30_000, 5000]);
});

describe("--check", () => {
  test("prints a report and sets the exit status", async () => {
    const check = (slug: string, stdin: string) => penknife(["run", slug, "--check"], { stdin });
    const good = await check("json-formatter", '{\n  "a": 1\n}\n');
    expect(good).toMatchObject({ status: 0, stdout: '{\n  "valid": true,\n  "errors": []\n}\n', stderr: "" });
    const changed = await check("json-formatter", '{"a":1}');
    expect(changed).toMatchObject({ status: 1, stderr: "" });
    expect(JSON.parse(changed.stdout)).toMatchObject({ valid: false, errors: [{ line: 1, column: 2 }] });
    expect((await check("json-validator", "{")).status).toBe(1);
  });

  test("a report as the result sets the exit status, unless --report-only is given", async () => {
    const run = (...words: string[]) => penknife(["run", ...words], { stdin: "{" });
    const invalid = { stdout: expect.stringMatching(/^\{\n {2}"valid": false,[^]*\}\n$/), stderr: "" };
    for (const words of [["json-validator"], ["json-validator", "--check"], ["json-formatter", "--check"]]) {
      expect((await run(...words)).status).toBe(1);
      expect((await run(...words, "--report-only")).status).toBe(words[0] === "json-validator" ? 0 : 1);
    }
    expect(await run("json-validator")).toMatchObject({ status: 1, ...invalid });
    expect(await run("json-validator", "--report-only")).toMatchObject({ status: 0, ...invalid });
    expect((await penknife(["run", "json-validator"], { stdin: "{}" })).status).toBe(0);
    // A tool in a worker behaves the same.
    expect((await penknife(["run", "secret-scanner"], { stdin: `AKIA${"Q7RT".repeat(4)}` })).status).toBe(1);
  });

  test("the report of a pipeline's last step sets the exit status", async () => {
    const cwd = makeFolder({ "p.yaml": "steps: [{tool: base64-decoder}, {tool: json-validator}]" });
    const run = (stdin: string, ...words: string[]) =>
      penknife(["run", "-p", "p.yaml", ...words], { cwd, stdin }).then(({ status }) => status);
    expect(await run("e30=")).toBe(0);
    expect(await run("ew==")).toBe(1);
    expect(await run("ew==", "--report-only")).toBe(0);
    const encoding = makeFolder({ "p.yaml": "steps: [{tool: base64-encoder}]" });
    const idle = await penknife(["run", "-p", "p.yaml", "--report-only"], { cwd: encoding, stdin: "" });
    expect(idle).toMatchObject({
      status: 2,
      stderr: "penknife: base64-encoder makes no report; leave out --report-only.\n",
    });
  });

  test("is not an option of a tool without a check mode", async () => {
    expect((await penknife(["run", "uuid-generator", "--check"])).stderr).toContain("Unknown option --check");
  });
});
