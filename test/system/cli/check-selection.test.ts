import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expandBraces } from "../../../src/lib/glob/expand-braces.ts";
import { findFiles } from "../../../src/surfaces/cli/check/find-files.ts";
import { createTestHost, makeFolder, penknife, shareWorkers } from "./host.ts";

const inProcess = shareWorkers();

/** A token that the scanner finds, concatenated so that this file contains none. */
const token = `ghp_${"a1B2".repeat(9)}`;

function makeTree(paths: readonly string[], content = "{}"): string {
  const cwd = makeFolder();
  for (const path of paths) {
    mkdirSync(join(cwd, dirname(path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
  return cwd;
}

async function find(pattern: string, cwd: string) {
  const { files, program } = createTestHost({ cwd }).host;
  const { names, leftOut } = await findFiles(pattern, files, program);
  return { names, leftOut: Object.fromEntries([...leftOut].map(([reason, { size }]) => [reason, size])) };
}

const repository = [
  ".env",
  ".github/workflows/ci.yml",
  "a.js",
  "src/.hidden/b.js",
  "src/c.js",
  ".git/config",
  ".git/hooks/x.js",
  "node_modules/m/index.js",
  "src/node_modules/n/.n.js",
];

describe("a pattern", () => {
  test.each([
    ["*", [".env", "a.js"], {}],
    ["**/*.js", ["a.js", "src/.hidden/b.js", "src/c.js"], { ".git": 1, node_modules: 2 }],
    [
      "**",
      [".env", ".github/workflows/ci.yml", "a.js", "src/.hidden/b.js", "src/c.js"],
      { ".git": 2, node_modules: 2 },
    ],
    [
      "**/*",
      [".env", ".github/workflows/ci.yml", "a.js", "src/.hidden/b.js", "src/c.js"],
      { ".git": 2, node_modules: 2 },
    ],
    ["src/**", ["src/.hidden/b.js", "src/c.js"], { node_modules: 1 }],
    ["*/*.js", ["src/c.js"], {}],
    ["*/*/*.js", ["src/.hidden/b.js"], { ".git": 1, node_modules: 1 }],
    ["{a,src/c}.js", ["a.js", "src/c.js"], {}],
    ["{**/c,a}.js", ["a.js", "src/c.js"], {}],
    ["[ab].js", ["a.js"], {}],
    [".github/**/*.yml", [".github/workflows/ci.yml"], {}],
    ["./src/*.js", ["src/c.js"], {}],
    ["src/../*.js", ["a.js"], {}],
    [".git/**", [".git/config", ".git/hooks/x.js"], {}],
    ["node_modules/**/*.js", ["node_modules/m/index.js"], {}],
    ["**/node_modules/**/*.js", ["node_modules/m/index.js", "src/node_modules/n/.n.js"], { ".git": 0 }],
    ["nothing/**", [], {}],
  ])("%s", async (pattern, names, leftOut) => {
    const found = await find(pattern, makeTree(repository));
    expect(found.names).toEqual(names);
    expect(found.leftOut).toEqual(
      Object.fromEntries(Object.entries(leftOut).filter(([, count]) => count > 0)),
    );
  });

  test("gives absolute paths if it is absolute, and may contain .. if it is relative", async () => {
    const cwd = makeTree(repository);
    expect((await find(`${cwd}/s*/*.js`, cwd)).names).toEqual([join(cwd, "src/c.js")]);
    expect((await find("../*.js", join(cwd, "src"))).names).toEqual(["../a.js"]);
  });

  test("follows a link to a folder that a name matches, but not one that ** matches", async () => {
    const cwd = makeTree(["real/a.js"]);
    symlinkSync("real", join(cwd, "link"));
    symlinkSync("..", join(cwd, "real/up"));
    expect(await find("l*/*.js", cwd)).toEqual({ names: ["link/a.js"], leftOut: {} });
    expect(await find("**/*.js", cwd)).toEqual({ names: ["real/a.js"], leftOut: { "folder-link": 2 } });
    expect((await find("*/*/*/*.js", cwd)).names).toEqual([
      "link/up/link/a.js",
      "link/up/real/a.js",
      "real/up/link/a.js",
      "real/up/real/a.js",
    ]);
  });

  test("leaves out everything but regular files, because a pipe may never end", async () => {
    const cwd = makeTree(["a.js"]);
    execFileSync("mkfifo", [join(cwd, "pipe.js")]);
    symlinkSync("pipe.js", join(cwd, "link.js"));
    symlinkSync("nowhere", join(cwd, "broken.js"));
    expect(await find("*.js", cwd)).toEqual({
      names: ["a.js"],
      leftOut: { "special-file": 2, "broken-link": 1 },
    });
  });

  test.each([
    ["[z-a]*", "[z-a]* is no pattern: The range ends before it begins."],
    ["@(a|b/c)*", "@(a|b: a group in parentheses cannot contain a slash. Use braces: {a,b/c}."],
    [
      "{1,2}".repeat(10),
      "The braces of a pattern expand to more than 1000 patterns; give some of them as patterns of their own.",
    ],
  ])("%s is a usage error", async (pattern, message) => {
    expect(await penknife(["check", "json-validator", pattern], { cwd: makeFolder() })).toMatchObject({
      status: 2,
      stderr: `penknife: ${message}\n`,
    });
  });
});

test.each([
  ["a", ["a"]],
  ["{a}", ["{a}"]],
  ["{a,b", ["{a,b"]],
  ["{a,b}", ["a", "b"]],
  ["x{a,{b,c}d,}y", ["xay", "xbdy", "xcdy", "xy"]],
  ["{a,b}{c,d}", ["ac", "ad", "bc", "bd"]],
  ["\\{a,b}", ["\\{a,b}"]],
  ["{a\\,b,c}", ["a\\,b", "c"]],
  ["{1..3}", ["{1..3}"]],
])("the braces of %s", (pattern, expected) => {
  expect(expandBraces(pattern).toSorted()).toEqual(expected);
});

test("finds a literal name even if it could be a pattern, in this process", async () => {
  const names = fc.stringMatching(/^[a-z.][a-z.*?[\]{}()-]{0,8}$/).filter((name) => !/^\.{1,2}$/.test(name));
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      const cwd = makeTree([name]);
      const ran = await penknife(["check", "json-validator", "--", name], { cwd, program: inProcess });
      expect(ran.stderr).toBe("1 file checked, no findings\n");
      // As an escaped pattern it matches the same file.
      const escaped = name.replaceAll(/[^a-z.]/g, String.raw`\$&`);
      expect((await find(`**/${escaped}`, cwd)).names).toEqual([name]);
    }),
    { numRuns: 60 },
  );
});

test("finds a secret in a file whose name starts with a dot, and counts files left out", async () => {
  const cwd = makeTree(
    [".env", ".github/workflows/ci.yml", "node_modules/m/a", ".git/x"],
    `TOKEN=${token}\n`,
  );
  const ran = await penknife(["check", "secret-scanner", "**/*"], { cwd });
  expect(ran.status).toBe(1);
  expect(ran.stdout.split("\n").map((line) => line.split(":")[0])).toEqual([
    ".env",
    ".github/workflows/ci.yml",
    "",
  ]);
  expect(ran.stderr).toBe(
    "2 files checked, 2 findings in 2 files; left out: 1 file in .git, 1 file in node_modules\n",
  );
});

describe("every format reports files left out and files not read", () => {
  const check = async (format: string) => {
    const cwd = makeTree(["a.json", "node_modules/b.json"]);
    return penknife(["check", "json-validator", "--format", format, "**/*.json", "nope.json", "x*"], { cwd });
  };
  const stderr =
    "penknife: nope.json cannot be read: there is no such file\npenknife: No file matches x*\n" +
    "1 file checked, no findings; 2 not read; left out: 1 file in node_modules\n";

  test("human", async () => {
    expect(await check("human")).toMatchObject({ status: 2, stdout: "", stderr });
  });

  test("json", async () => {
    const ran = await check("json");
    expect(ran).toMatchObject({ status: 2, stderr: stderr.replace(/^1 file.*\n/m, "") });
    const severity = "error";
    expect(JSON.parse(ran.stdout)).toEqual({
      items: [
        {
          file: "nope.json",
          tool: "json-validator",
          valid: false,
          errors: [
            { message: "nope.json cannot be read: there is no such file", severity, rule: "unreadable" },
          ],
          unread: true,
        },
        {
          file: "x*",
          tool: "json-validator",
          valid: false,
          errors: [{ message: "No file matches x*", severity, rule: "no-match" }],
          unread: true,
        },
        { file: "a.json", tool: "json-validator", valid: true, errors: [] },
      ],
      leftOut: [{ reason: "node_modules", files: 1 }],
    });
  });

  test("sarif", async () => {
    const ran = await check("sarif");
    expect(ran).toMatchObject({ status: 2, stderr });
    const [run] = (JSON.parse(ran.stdout) as { runs: { invocations: object[]; results: object[] }[] }).runs;
    expect(run?.results).toEqual([]);
    expect(run?.invocations).toMatchObject([
      {
        executionSuccessful: false,
        exitCode: 2,
        toolExecutionNotifications: [
          { level: "error", descriptor: { id: "json-validator/unreadable" } },
          { level: "error", descriptor: { id: "json-validator/no-match" } },
          {
            level: "note",
            descriptor: { id: "json-validator/left-out" },
            message: { text: "Left out: 1 file in node_modules." },
          },
        ],
      },
    ]);
  });

  test("github", async () => {
    expect(await check("github")).toMatchObject({
      status: 2,
      stdout:
        "::error title=json-validator/unreadable::nope.json cannot be read: there is no such file\n" +
        "::error title=json-validator/no-match::No file matches x*\n",
      stderr,
    });
  });
});

test("checks a file once under several spellings; a hard link is a separate file", async () => {
  const cwd = makeTree(["a.json", "sub/b.json"]);
  symlinkSync("a.json", join(cwd, "link.json"));
  linkSync(join(cwd, "a.json"), join(cwd, "hard.json"));
  const check = async (...words: string[]) =>
    (await penknife(["check", "json-validator", ...words], { cwd })).stderr;
  expect(
    await check("a.json", "./a.json", "sub/../a.json", join(cwd, "a.json"), "link.json", "a*.json"),
  ).toBe("1 file checked, no findings\n");
  expect(await check("a.json", "hard.json")).toBe("2 files checked, no findings\n");
});
