import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder, penknife, shareWorkers } from "./host.ts";
import { makeTree } from "./repository.ts";
import { testRuntime } from "../../support/runtime.ts";

const program = shareWorkers();
const check = (cwd: string, ...words: string[]) => penknife(["check", ...words], { cwd, program });
const read = (cwd: string, name: string) => readFileSync(join(cwd, name), "utf8");
const fixedText = '{\n  "a": 1\n}\n';

describe("check TOOL --fix", () => {
  test("writes what the tool would change, and a second time nothing", async () => {
    const cwd = makeFolder({ "a.json": '{"a":1}\n', "b.json": fixedText, "c.json": '{"a":1}\r\n' });
    expect(await check(cwd, "json-formatter", "--fix", "*.json")).toMatchObject({
      status: 0,
      stdout: "a.json: fixed (json-formatter)\nc.json: fixed (json-formatter)\n",
      stderr: "3 files checked, 2 fixed, no findings\n",
    });
    expect(read(cwd, "a.json")).toBe(fixedText);
    expect(read(cwd, "b.json")).toBe(fixedText);
    expect(read(cwd, "c.json")).toBe(fixedText.replaceAll("\n", "\r\n"));
    expect(await check(cwd, "json-formatter", "--fix", "*.json")).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "3 files checked, no findings\n",
    });
    expect(readdirSync(cwd).toSorted()).toEqual(["a.json", "b.json", "c.json"]);
  });

  test("reports what is left, and fixes the others", async () => {
    const cwd = makeFolder({ "a.json": '{"a":1}\n', "b.json": "[1,\n2 3]" });
    const ran = await check(cwd, "json-formatter", "--fix", "a.json", "b.json");
    expect(ran.status).toBe(1);
    expect(ran.stdout).toMatch(/^a\.json: fixed \(json-formatter\)\nb\.json:2:3: .+\n$/);
    expect(ran.stderr).toBe("2 files checked, 1 fixed, 1 finding in 1 file\n");
    expect(read(cwd, "b.json")).toBe("[1,\n2 3]");
  });

  test("says so in JSON", async () => {
    const cwd = makeFolder({ "a.json": "[ ]" });
    const { stdout, status } = await check(cwd, "json-formatter", "--fix", "--json", "a.json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      items: [{ file: "a.json", tool: "json-formatter", valid: true, errors: [], fixed: true }],
      leftOut: [],
    });
  });

  test("leaves the directives of linters on the lines that they are about", async () => {
    const directives = [
      "# yamllint disable rule:line-length",
      "name:   x",
      "on: # yamllint disable-line rule:truthy",
      "    push:  # noqa: key",
      "jobs:",
      "    # yamllint disable-line rule:comments-indentation",
      "    a:",
      "        steps:",
      "        - uses: b@v1 # zizmor: ignore[unpinned-uses]",
      "        # penknife-ignore secret-scanner/assigned-password of a test",
      "        -   run: c  # penknife-ignore yaml-validator/truthy as it is",
      "",
    ];
    const cwd = makeFolder({ "a.yaml": directives.join("\n") });
    expect((await check(cwd, "yaml-formatter", "--fix", "a.yaml")).status).toBe(0);
    expect(read(cwd, "a.yaml").split("\n")).toEqual([
      "# yamllint disable rule:line-length",
      "name: x",
      "on: # yamllint disable-line rule:truthy",
      "  push:  # noqa: key",
      "jobs:",
      "  # yamllint disable-line rule:comments-indentation",
      "  a:",
      "    steps:",
      "    - uses: b@v1 # zizmor: ignore[unpinned-uses]",
      "    # penknife-ignore secret-scanner/assigned-password of a test",
      "    - run: c  # penknife-ignore yaml-validator/truthy as it is",
      "",
    ]);
  });

  test("takes the options of the tool, and a worker for a tool that needs one", async () => {
    const cwd = makeFolder({ "a.json": '{"b":1,"a":2}', "a.yaml": "a:   [1,  2]\n" });
    expect((await check(cwd, "json-formatter", "--fix", "--indent=0", "--sort-keys", "a.json")).status).toBe(
      0,
    );
    expect(read(cwd, "a.json")).toBe('{"a":2,"b":1}');
    expect((await check(cwd, "yaml-formatter", "--fix", "a.yaml")).status).toBe(0);
    expect(read(cwd, "a.yaml")).toBe("a: [1, 2]\n");
  });

  test("leaves a file that is not UTF-8", async () => {
    const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a ><b>\xe9</b></a>', "latin1");
    const cwd = makeFolder({ "a.xml": latin });
    const ran = await check(cwd, "xml-formatter", "--fix", "a.xml");
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain("a.xml: The file was left as it is: it is not UTF-8. (not-fixed)\n");
    expect(readFileSync(join(cwd, "a.xml"))).toEqual(latin);
  });

  test("leaves a file whose fixed content the tool would change again", async () => {
    const cwd = makeFolder({ "a.txt": "a\nb\n" });
    const ran = await check(cwd, "line-sorter", "--order=reverse", "--fix", "a.txt");
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain("line-sorter would change its own result again. (not-fixed)");
    expect(read(cwd, "a.txt")).toBe("a\nb\n");
  });

  test("writes the target of a link in the tree, and keeps the link", async () => {
    const { cwd } = makeTree({ "in/a.json": "[ ]", "outer/b.json": "[ ]" });
    symlinkSync("a.json", join(cwd, "in/link.json"));
    symlinkSync("../outer/b.json", join(cwd, "in/out.json"));
    const ran = await penknife(["check", "json-formatter", "--fix", "link.json", "out.json"], {
      cwd: join(cwd, "in"),
      program,
    });
    expect(ran.status).toBe(1);
    expect(ran.stdout).toMatch(
      /out\.json: The file was left as it is: it is a link to .+outer\/b\.json, which is outside of /,
    );
    expect(read(cwd, "in/a.json")).toBe("[]");
    expect(read(cwd, "outer/b.json")).toBe("[ ]");
    expect(
      readdirSync(join(cwd, "in"), { withFileTypes: true }).filter((one) => one.isSymbolicLink()),
    ).toHaveLength(2);
  });

  test("leaves a file that changes while it is checked", async () => {
    const cwd = makeFolder({ "a.json": "[ ]" });
    const ran = await penknife(["check", "json-formatter", "--fix", "a.json"], {
      cwd,
      program,
      host: {
        // Called for the name of the temporary file, after the check.
        runtime: testRuntime({
          random: (size) => {
            writeFileSync(join(cwd, "a.json"), "[1]");
            return new Uint8Array(size);
          },
        }),
      },
    });
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain("The file was left as it is: it has changed since it was read. (not-fixed)");
    expect(read(cwd, "a.json")).toBe("[1]");
    expect(readdirSync(cwd)).toEqual(["a.json"]);
  });

  test.each([
    [
      ["json-formatter", "--fix", "-"],
      "--fix is for files. To format standard input: penknife run json-formatter < FILE",
    ],
    [
      ["json-formatter", "--fix", "--diff", "a.json"],
      "Give --fix or --diff, not both: --diff prints what --fix writes.",
    ],
    [
      ["json-validator", "--fix", "a.json"],
      "json-validator reports findings, and changes nothing. Leave out --fix.",
    ],
    [
      ["json-differ", "--diff", "--other=1", "a.json"],
      "json-differ reports findings, and changes nothing. Leave out --diff.",
    ],
    [
      ["json-formatter", "--diff", "--json", "a.json"],
      "--diff prints a patch. Leave out --json and --format; --output FORMAT=FILE writes a report as well.",
    ],
  ])("refuses %j", async (words, message) => {
    const cwd = makeFolder({ "a.json": "[ ]" });
    expect(await check(cwd, ...words)).toMatchObject({
      status: 2,
      stdout: "",
      stderr: `penknife: ${message}\n`,
    });
    expect(read(cwd, "a.json")).toBe("[ ]");
  });
});

describe("check TOOL --diff", () => {
  test("prints a patch that makes what --fix writes, and writes nothing", async () => {
    const files = {
      "a b.json": '{"a":1}',
      "c.json": '{"a":1}\r\n',
      "ok.json": fixedText,
      "bad.json": "[1 2]",
    };
    const { cwd, write } = makeTree(files);
    const ran = await check(cwd, "json-formatter", "--diff", "./*.json");
    expect(ran.status).toBe(1);
    expect(ran.stdout).toMatch(/^--- a\/a b\.json\t\n/);
    expect(ran.stderr).toMatch(/^bad\.json:1:4: .+\n4 files checked, 3 findings in 3 files\n$/);
    for (const [name, text] of Object.entries(files)) expect(read(cwd, name)).toBe(text);
    const patched = spawnSync("patch", ["-p1", "--silent"], { cwd, input: ran.stdout });
    expect(patched.stderr.toString()).toBe("");
    const results = Object.keys(files).map((name) => read(cwd, name));
    write(files);
    await check(cwd, "json-formatter", "--fix", "*.json");
    expect(results).toEqual(Object.keys(files).map((name) => read(cwd, name)));
  });

  test("prints nothing and exits with status 0 without a change", async () => {
    const cwd = makeFolder({ "a.json": "[]" });
    expect(await check(cwd, "json-formatter", "--diff", "a.json")).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "1 file checked, no findings\n",
    });
  });
});

describe("check --fix with a list of checks", () => {
  const list = (...tools: string[]) =>
    `checks:\n${tools.map((tool) => `  - tool: ${tool}\n    files: ["*.json"]\n`).join("")}`;

  test("each tool changes the result of the one before, and all see the last", async () => {
    const { cwd } = makeTree({
      "penknife.checks.yaml": list("json-validator", "json-sorter", "whitespace-normalizer"),
      "a.json": '{"b":1,\r\n"a":2}',
      "b.json": "{\n",
    });
    const ran = await check(cwd, "--fix");
    expect(ran.status).toBe(1);
    expect(ran.stdout).toMatch(
      /^a\.json: fixed \(json-sorter\)\na\.json: fixed \(whitespace-normalizer\)\nb\.json:2:1: .+\nb\.json:2:1: .+\n$/,
    );
    expect(read(cwd, "a.json")).toBe('{\n  "a": 2,\n  "b": 1\n}\n');
    expect(ran.stderr).toContain("2 files checked, 1 fixed, 2 findings in 1 file");
  });

  test("leaves a file whose tools do not agree, and names them", async () => {
    const { cwd } = makeTree({
      "penknife.checks.yaml": list("json-formatter", "json-minifier"),
      "a.json": '{ "a":1}',
    });
    const ran = await check(cwd, "--fix");
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain(
      "json-formatter would change the result of json-minifier again. (json-formatter/not-fixed)",
    );
    expect(read(cwd, "a.json")).toBe('{ "a":1}');
  });

  test("--diff has the changes of all tools in one patch, with the severity of a warning too", async () => {
    const { cwd } = makeTree({
      "penknife.checks.yaml": `checks:\n  - {tool: json-sorter, files: "**/*.json", severity: warning}\n`,
      "sub/a.json": '{"b":1,"a":2}\n',
    });
    const ran = await check(cwd, "--diff");
    expect(ran.status).toBe(1);
    expect(ran.stdout).toBe(
      '--- a/sub/a.json\n+++ b/sub/a.json\n@@ -1 +1,4 @@\n-{"b":1,"a":2}\n+{\n+  "a": 2,\n+  "b": 1\n+}\n',
    );
  });
});
