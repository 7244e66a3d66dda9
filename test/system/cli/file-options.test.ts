import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { fieldsOf } from "../../../src/catalog/fields.ts";
import { fileFields } from "../../../src/catalog/file-fields.ts";
import { fixArgs } from "../../../src/surfaces/cli/check/fix-mode.ts";
import { reportArgs } from "../../../src/surfaces/cli/check/report-options.ts";
import { selectionArgs } from "../../../src/surfaces/cli/check/selection.ts";
import { toFlag } from "../../../src/lib/shell-words.ts";
import { fileTwins, reservedOptions } from "../../../src/surfaces/cli/tool-options.ts";
import { tools } from "../../../src/tools/index.ts";
import { type Given, makeFolder, penknife as runHere, shareWorkers } from "./host.ts";

const program = shareWorkers();
const penknife = (argv: readonly string[], given: Given = {}) => runHere(argv, { program, ...given });

const valid = '{\n  "valid": true,\n  "errors": []\n}';

describe("a second document can be read from a file", () => {
  test("with the same result as from the line, however long it is", async () => {
    const schema = `{"enum":[${"1.0,".repeat(100_000)}12345678901234567890]}`;
    const cwd = makeFolder({ "schema.json": schema, "a.json": "12345678901234567890" });
    const words = ["--schema-file", "schema.json", "a.json"];
    expect(await penknife(["run", "json-schema-validator", ...words], { cwd })).toMatchObject({
      status: 0,
      stdout: `${valid}\n`,
      stderr: "",
    });
    expect(await penknife(["check", "json-schema-validator", ...words], { cwd })).toMatchObject({
      status: 0,
      stdout: "",
    });
  });

  test("two of them, beside one on the line", async () => {
    const cwd = makeFolder({ "all.json": '{"https://example.com/n":{"minLength":1}}', "a.json": '""' });
    const words = ["--schema", '{"$ref":"https://example.com/n"}', "--schemas-file=all.json", "a.json"];
    const { stdout } = await penknife(["run", "json-schema-validator", ...words], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ valid: false, errors: [{ rule: "min-length" }] });
  });

  test("including its last line end, which is part of a text", async () => {
    const cwd = makeFolder({ "old.txt": "a\n", "same.txt": "a\n", "new.txt": "a" });
    const differ = (file: string) =>
      penknife(["run", "text-differ", "--other-file", file, "old.txt"], { cwd });
    expect((await differ("same.txt")).stdout).toBe("");
    expect((await differ("new.txt")).stdout).toContain("No newline at end of file");
  });

  test.each(["Jefe", "Jefe\n", "Jefe\r\n"])("except that a secret loses its line end: %j", async (key) => {
    const cwd = makeFolder({ "key.txt": key });
    const ran = await penknife(["run", "hmac-generator", "--key-file", "key.txt"], {
      cwd,
      stdin: "what do ya want for nothing?",
    });
    expect(ran.stdout).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843\n");
  });

  test.each([
    [[], "Give --patch or --patch-file. Run penknife run json-patcher --help for usage."],
    [["--patch", "{}", "--patch-file", "p.json"], "Give --patch or --patch-file, not both."],
    [
      ["--patch-file", "p.json", "--patch-file", "p.json"],
      "--patch-file is given more than once; give it once.",
    ],
    [["--patch-file"], "--patch-file needs a value: --patch-file FILE"],
    [["--patch-file", "nope.json"], "nope.json cannot be read: there is no such file"],
    [["--patch-file", "."], ". cannot be read: it is a folder"],
    [["--patch-file", "-"], "--patch-file takes a file, not -: standard input is the document."],
    [
      ["--patch-file", "latin1"],
      "latin1 is not UTF-8: byte 2 does not begin a character. (line 1, column 3)",
    ],
  ])("%j is a usage error", async (words, message) => {
    const cwd = makeFolder({ "p.json": "{}", latin1: Buffer.from([0x7b, 0x22, 0xe9, 0x22]) });
    expect(await penknife(["run", "json-patcher", ...words], { cwd, stdin: "{}" })).toMatchObject({
      status: 2,
      stdout: "",
      stderr: `penknife: ${message}\n`,
    });
  });

  test("and the help lists the option", async () => {
    const { stdout } = await penknife(["run", "json-patcher", "--help"]);
    expect(stdout).toContain(
      "Usage: penknife run json-patcher (--patch TEXT | --patch-file FILE) [OPTIONS] [FILE]\n",
    );
    expect(stdout).toMatch(/^ {2}--patch-file FILE +Read --patch from FILE$/m);
    expect((await penknife(["run", "hmac-generator", "--help"])).stdout).toMatch(
      /Read --key from FILE,\s+without its final\s+line\s+end/,
    );
    expect((await penknife(["run", "json-formatter", "--help"])).stdout).not.toContain("-file");
  });
});

describe("a fault in a second document is shown", () => {
  const patch = '[\n  {"op": "remove", "path": "/é/b"}\n]';
  const shown = `2 | ${patch.split("\n")[1]}\n${" ".repeat(4 + 27)}^\n`;

  test("with the name of its file", async () => {
    const cwd = makeFolder({ "p.json": patch });
    const ran = await penknife(["run", "json-patcher", "--patch-file", "p.json"], { cwd, stdin: "{}\n\n" });
    expect(ran).toMatchObject({ status: 1, stdout: "" });
    expect(ran.stderr).toMatch(/^penknife: p\.json:2:28: Operation 0 /);
    expect(ran.stderr.endsWith(shown)).toBe(true);
  });

  test("with its option", async () => {
    const ran = await penknife(["run", "json-patcher", "--patch", patch], { stdin: "{}" });
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/^penknife: --patch:2:28: Operation 0 /);
    expect(ran.stderr.endsWith(shown)).toBe(true);
  });

  test("and a fault in data is shown in data", async () => {
    const ran = await penknife(["run", "json-patcher", "--patch", patch], { stdin: "[1" });
    expect(ran.stderr).toMatch(/^penknife: <stdin>:1:3: (?!patch)/);
  });

  test.each([
    ["graphql-validator", "--schema", "type Query {\n  a: }", "{ a }"],
    ["env-comparer", "--other", "A=1\nB", "A=1"],
    ["template-renderer", "--variables", '{"a":1,\n"a":2}', "{{a}}"],
    ["json-differ", "--other", "{\n]", "{}"],
    ["json-schema-validator", "--schema", '{"properties":\n7}', "{}"],
    ["webhook-signature-verifier", "--headers", '{"a":\n[{}]}', "x"],
  ])("%s %s", async (slug, option, text, stdin) => {
    const more = slug.startsWith("webhook") ? ["--provider", "github", "--secret", "s"] : [];
    const { status, stderr } = await penknife(["run", slug, option, text, ...more], { stdin });
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`^penknife: ${option}:2:\\d+: (?!${option.slice(2)}: )`));
    expect(stderr.split("\n")[1]).toBe(`2 | ${text.split("\n")[1]}`);
  });

  test("as one usage error for many files", async () => {
    const cwd = makeFolder({ "a.json": "1", "b.json": "2", "s.json": '{"type":"strin"}' });
    const words = ["--schema-file", "s.json", "a.json", "b.json"];
    const ran = await penknife(["check", "json-schema-validator", ...words], { cwd });
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toMatch(/^penknife: --schema: .* \(line 1, column 9\)\n$/);
  });

  test("but not if the fault is in the file that is checked", async () => {
    const $defs: Record<string, unknown> = { a0: true };
    for (let at = 1; at < 60; at++)
      $defs[`a${at}`] = {
        items: { allOf: [{ $ref: `#/$defs/a${at - 1}` }, { $ref: `#/$defs/a${at - 1}` }] },
      };
    const cwd = makeFolder({
      "deep.json": `${"[".repeat(59)}1${"]".repeat(59)}`,
      "flat.json": "[]",
      "s.json": JSON.stringify({ $ref: "#/$defs/a59", $defs }),
    });
    const words = ["--schema-file", "s.json", "--json", "deep.json", "flat.json"];
    const ran = await penknife(["check", "json-schema-validator", ...words], { cwd });
    expect(ran.status).toBe(1);
    const { items } = JSON.parse(ran.stdout) as {
      items: { valid: boolean; errors: { message: string }[] }[];
    };
    expect(items.map(({ valid: fine }) => fine)).toEqual([false, true]);
    expect(items[0]?.errors[0]?.message).toContain("too much work");
  });
});

test("no two options of a tool have the same name", async () => {
  const all = await createCatalog(tools).all();
  expect(all.flatMap(fileFields).length).toBeGreaterThanOrEqual(12);
  for (const tool of all) {
    const own = fieldsOf(tool.input).map(({ name }) => toFlag(name));
    const files = fileTwins(tool).map(({ file }) => file);
    expect(files.filter((flag) => [...own, ...reservedOptions].includes(flag))).toEqual([]);
  }
});

test("no option of a check hides an option of a tool, except --format, which a differ has", async () => {
  const all = await createCatalog(tools).all();
  const own = Object.keys({ ...selectionArgs, ...fixArgs, ...reportArgs }).filter(
    (flag) => flag !== "format",
  );
  expect(own.length).toBeGreaterThan(10);
  const hidden = all
    .filter(({ check }) => check !== undefined)
    .flatMap((tool) => [
      ...fieldsOf(tool.input).map(({ name }) => toFlag(name)),
      ...fileTwins(tool).map(({ file }) => file),
    ]);
  expect(hidden.filter((flag) => own.includes(flag))).toEqual([]);
});
