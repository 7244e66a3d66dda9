import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, penknife } from "./host.ts";

const good = '{"a":1}';

function makeTree(): string {
  const folder = makeFolder({ "a.json": good, "b.json": '{"a":1,}', "c.txt": "no" });
  for (const name of ["sub/deep", "node_modules/x", ".hidden"])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ["sub/d.json", "sub/deep/e.json", "node_modules/x/f.json", ".hidden/g.json"]) {
    writeFileSync(join(folder, name), name === "sub/deep/e.json" ? "[\n1,\n2 3]" : good);
  }
  return folder;
}

test("prints files and places, and a summary on stderr", async () => {
  const cwd = makeTree();
  const ran = await penknife(["check", "json-validator", "**/*.json"], { cwd });
  expect(ran.status).toBe(1);
  expect(ran.stdout.split("\n")).toEqual([
    expect.stringMatching(/^b\.json:1:7: .+ \(syntax\)$/),
    expect.stringMatching(/^sub\/deep\/e\.json:3:3: .+ \(syntax\)$/),
    "",
  ]);
  expect(ran.stderr).toBe("5 files checked, 2 findings in 2 files; left out: 1 file in node_modules\n");
});

test("prints nothing for valid files", async () => {
  const cwd = makeTree();
  expect(await penknife(["check", "json-validator", "a.json", "sub/*.json"], { cwd })).toMatchObject({
    status: 0,
    stdout: "",
    stderr: "2 files checked, no findings\n",
  });
});

test("checks a file that two patterns match once, and node_modules only if named", async () => {
  const cwd = makeTree();
  const { stderr } = await penknife(["check", "json-validator", "a.json", "*.json", "a.json"], { cwd });
  expect(stderr).toMatch(/^2 files checked/);
  const installed = await penknife(["check", "json-validator", "node_modules/**/*.json"], { cwd });
  expect(installed.stderr).toMatch(/^1 file checked/);
});

test("follows links to files, but not links to folders or broken links", async () => {
  const cwd = makeTree();
  symlinkSync("sub", join(cwd, "folder.json"));
  symlinkSync("nowhere", join(cwd, "dangling.json"));
  symlinkSync("a.json", join(cwd, "linked.json"));
  expect((await penknife(["check", "json-formatter", "--indent=0", "[adfl]*.json"], { cwd })).stderr).toBe(
    "1 file checked, no findings; left out: 1 broken link\n",
  );
});

test("a file may be named like a pattern", async () => {
  const cwd = makeFolder({ "[a].json": "{", "a.json": good });
  const { stdout } = await penknife(["check", "json-validator", "[a].json"], { cwd });
  expect(stdout).toMatch(/^\[a\]\.json:1:2: /);
});

test.each([
  ["x*.json", "No file matches x*.json"],
  ["x.json", "x.json cannot be read: there is no such file"],
  ["sub", "sub is a folder. Name its files with a pattern: 'sub/**/*'"],
  ["", "An empty name cannot be read: there is no such file"],
])("reports %j, checks the rest and exits with status 2", async (word, message) => {
  const cwd = makeTree();
  const check = (...words: string[]) => penknife(["check", "json-validator", ...words], { cwd });
  expect(await check(word, "a.json")).toMatchObject({
    status: 2,
    stdout: "",
    stderr: `penknife: ${message}\n1 file checked, no findings; 1 not read\n`,
  });
  expect(await check("a.json", word, "b.json")).toMatchObject({
    status: 2,
    stdout: expect.stringMatching(/^b\.json:1:7: .+\n$/),
    stderr: `penknife: ${message}\n2 files checked, 1 finding in 1 file; 1 not read\n`,
  });
  expect(await check(word)).toMatchObject({
    status: 2,
    stdout: "",
    stderr: `penknife: ${message}\n0 files checked; 1 not read\n`,
  });
});

test("reports a wrong option once, not for each file", async () => {
  const cwd = makeTree();
  expect(await penknife(["check", "json-formatter", "--indent", "x", "*.json"], { cwd })).toMatchObject({
    status: 2,
    stdout: "",
    stderr: 'penknife: --indent must be an integer, got "x".\n',
  });
});

test("refuses a tool without a check mode", async () => {
  expect(await penknife(["check", "uuid-generator", "a"])).toMatchObject({
    status: 2,
    stderr: "penknife: uuid-generator has no check mode: it neither validates nor formats a document.\n",
  });
});

test("--json prints one list for scripts", async () => {
  const cwd = makeTree();
  const ran = await penknife(["check", "json-validator", "--json", "a.json", "b.json"], { cwd });
  expect(ran).toMatchObject({ status: 1, stderr: "" });
  expect(JSON.parse(ran.stdout)).toEqual({
    items: [
      { file: "a.json", tool: "json-validator", valid: true, errors: [] },
      {
        file: "b.json",
        tool: "json-validator",
        valid: false,
        errors: [
          expect.objectContaining({ severity: "error", rule: "syntax", line: 1, column: 7, offset: 6 }),
        ],
      },
    ],
    leftOut: [],
  });
});

test("a formatter reports what it would change and what it cannot parse", async () => {
  const cwd = makeFolder({ "a.json": '{\n    "a": 1\n}\n', "b.json": "{" });
  const four = await penknife(["check", "json-formatter", "--indent", "4", "a.json"], { cwd });
  expect(four).toMatchObject({ status: 0, stdout: "" });
  const two = await penknife(["check", "json-formatter", "a.json", "b.json"], { cwd });
  expect(two.status).toBe(1);
  expect(two.stdout).toMatch(/^a\.json:2:3: .+ \(json-formatter\)\nb\.json:1:2: .+ \(invalid_document\)\n$/);
});

test("- is standard input", async () => {
  const { status, stdout } = await penknife(["check", "json-validator", "-"], { stdin: "[1,]" });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^<stdin>:1:3: /);
});

test("file names and messages cannot control the terminal", async () => {
  const cwd = makeFolder({ "\u001b[2J.json": "{" });
  const { stdout } = await penknife(["check", "json-validator", "*.json"], { cwd });
  expect(stdout).toMatch(/^\$'\\x1b\[2J\.json':1:2: /);
});

test("keeps the order of the names however long each file takes", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `f${String(at).padStart(2, "0")}.json`);
  const files = Object.fromEntries(
    // Every fifth document is large enough for a worker.
    names.map((name, at) => [name, `[${"1,".repeat(at % 5 === 0 ? 700_000 : 10)}]`]),
  );
  const cwd = makeFolder(files);
  const { stdout, stderr } = await penknife(["check", "json-validator", "*.json"], { cwd });
  expect(stdout.split("\n").map((line) => line.split(":")[0])).toEqual([...names, ""]);
  expect(stderr).toBe("40 files checked, 40 findings in 40 files\n");
});

test("continues when its reader is gone, so that a pipeline still fails", async () => {
  const cwd = makeTree();
  const stdout = {
    isTTY: false,
    write: () => Promise.reject(Object.assign(new Error("write EPIPE"), { code: "EPIPE", syscall: "write" })),
  };
  expect(await penknife(["check", "json-validator", "*.json"], { cwd, host: { stdout } })).toMatchObject({
    status: 1,
  });
  expect(await penknife(["tools"], { host: { stdout } })).toMatchObject({ status: 0, stderr: "" });
});
