import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { fieldsOf } from "../../../src/catalog/fields.ts";
import { createGithubReporter } from "../../../src/surfaces/cli/check/formats/github.ts";
import { tools } from "../../../src/tools/index.ts";
import { createTestHost, makeFolder, penknife } from "./host.ts";

const all = await createCatalog(tools).all();
const folder = (): string => makeFolder({ "a.json": "{}", "b.json": "[1 2]" });

describe("--format", () => {
  test("defaults to human", async () => {
    const cwd = folder();
    const plain = await penknife(["check", "json-validator", "a.json", "b.json"], { cwd });
    expect(
      await penknife(["check", "json-validator", "a.json", "b.json", "--format=human"], { cwd }),
    ).toEqual(plain);
    expect(plain).toMatchObject({ status: 1, stderr: "2 files checked, 1 finding in 1 file\n" });
  });

  test("json is the same as --json, and both may be given", async () => {
    const cwd = folder();
    const ran = await Promise.all(
      [["--json"], ["--format", "json"], ["--json", "--format=json"], ["--json=false", "--format=json"]].map(
        (words) => penknife(["check", "json-validator", ...words, "a.json", "b.json"], { cwd }),
      ),
    );
    expect(new Set(ran.map(({ stdout }) => stdout)).size).toBe(1);
    expect(ran[0]).toMatchObject({ status: 1, stderr: "" });
    expect(JSON.parse(ran[0]?.stdout ?? "")).toMatchObject({
      items: [{ file: "a.json" }, { file: "b.json" }],
    });
  });

  test.each([
    [["--format", "sarff"], "Unknown format sarff. Did you mean sarif?"],
    [["--format", "xml"], "Unknown format xml. Run penknife check --help for a list."],
    [["--format", "constructor"], "Unknown format constructor. Run penknife check --help for a list."],
    [["--format="], "Unknown format . Run penknife check --help for a list."],
    [
      ["--format"],
      "--format needs a value: --format human|json|sarif|github|gitlab|junit|checkstyle|rdjson|markdown",
    ],
    [["--format", "json", "--format", "json"], "--format is given more than once; give it once."],
    [["--json", "--format", "sarif"], "--json is --format json; leave out --json or --format sarif."],
    [["--json", "--format", "human"], "--json is --format json; leave out --json or --format human."],
  ])("%s is a usage error", async (words, message) => {
    expect(await penknife(["check", "json-validator", "a.json", ...words], { cwd: folder() })).toMatchObject({
      status: 2,
      stdout: "",
      stderr: `penknife: ${message}\n`,
    });
  });

  test("hides a field only of the differs, where it says how the result is written", async () => {
    const own = all.filter(({ input }) => fieldsOf(input).some(({ name }) => name === "format"));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ check }) => check !== undefined).map(({ slug }) => slug)).toEqual([
      "graphql-differ",
      "json-differ",
      "openapi-differ",
      "text-differ",
    ]);
    const line = ["check", "json-differ", "--other={}", "--format=github", "-"];
    const ran = await penknife(line, { stdin: '{"a":1}' });
    expect(ran).toMatchObject({ status: 1, stdout: expect.stringContaining("::error ") as string });
  });

  test("remains the field of a tool in run", async () => {
    const ran = await penknife(["run", "json-differ", "--other={}", "--format=text"], { stdin: '{"a":1}' });
    expect(ran).toMatchObject({ status: 0, stdout: '- "/a": 1\n' });
  });

  test("is listed in the help", async () => {
    const { stdout } = await penknife(["check", "json-validator", "--help"]);
    expect(stdout).toMatch(
      /^ {2}--format VALUE {2,}\S[^]*^ +One of: human, json, sarif, github, gitlab, junit,/m,
    );
  });
});

describe("github", () => {
  const lines = async (file: string, text: string, words: string[] = ["json-validator"]) => {
    const cwd = makeFolder({ [file]: text });
    const { stdout } = await penknife(["check", ...words, "--format=github", `./${file}`], { cwd });
    return stdout;
  };

  test("prints a command for each finding, none for valid files, and the summary on stderr", async () => {
    const cwd = folder();
    const ran = await penknife(["check", "json-validator", "--format=github", "*.json"], { cwd });
    expect(ran.status).toBe(1);
    expect(ran.stdout).toMatch(
      /^::error file=b\.json,line=1,col=4,title=json-validator\/syntax::Expected [^\n]+\n$/,
    );
    expect(ran.stderr).toBe("2 files checked, 1 finding in 1 file\n");
  });

  test("prints warnings, and the rule of a formatter", async () => {
    expect(await lines("a.env", "A=1\nA=2\n", ["env-validator"])).toMatch(
      /^::(?:error|warning) file=a\.env,line=2,/,
    );
    expect(await lines("a.json", '{"a":1}', ["json-formatter"])).toMatch(
      /^::error file=a\.json,line=1,col=2,title=json-formatter::/,
    );
  });

  test.each([
    ["a,b:c%d.json", "a%2Cb%3Ac%25d.json"],
    ["::stop.json", "%3A%3Astop.json"],
    ["%0A.json", "%250A.json"],
    ["a b=c.json", "a b=c.json"],
    ["a\nb.json", "a%0Ab.json"],
    ["a\u001b[2Jb.json", "a␛[2Jb.json"],
  ])("escapes the name %j", async (name, escaped) => {
    expect(await lines(name, "[")).toContain(`::error file=${escaped},line=`);
  });

  test("names no file for standard input or a missing file", async () => {
    const { stdout } = await penknife(["check", "json-validator", "--format=github", "-"], { stdin: "[" });
    expect(stdout).toMatch(/^::error line=1,col=2,title=/);
  });

  test("paths are relative to the repository, and absolute outside it", async () => {
    const workspace = makeFolder({ "top.json": "[" });
    const cwd = join(workspace, "sub");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "a.json"), "[");
    const paths = async (env: Record<string, string>) => {
      const words = ["check", "json-validator", "--format=github", "a.json", "../top.json"];
      const { stdout } = await penknife(words, { cwd, env });
      return stdout.match(/(?<=file=)[^,]+/g);
    };
    expect(await paths({ GITHUB_WORKSPACE: workspace })).toEqual(["sub/a.json", "top.json"]);
    expect(await paths({})).toEqual(["a.json", join(workspace, "top.json")]);
  });

  test("each finding is one command that the runner reads unchanged, whatever a document and its name contain", async () => {
    const tool = all.find(({ slug }) => slug === "json-validator");
    if (tool === undefined) throw new Error("There is no json-validator");
    const text = fc.string({
      unit: fc.constantFrom("a", ":", ",", "%", "0", "A", "D", "\r", "\n", "=", " "),
    });
    await fc.assert(
      fc.asyncProperty(text, text, async (message, name) => {
        let printed = "";
        const print = async (more: string) => void (printed += more);
        const { host } = createTestHost({ cwd: "/r" });
        const { add } = createGithubReporter({ version: "1.0.0", host, several: true, isTTY: false, print });
        await add({
          tool,
          name: `x${name}`,
          valid: false,
          errors: [{ message, severity: "error", rule: "r" }],
        });
        expect(printed.match(/[\r\n]/g)).toEqual(["\n"]);
        expect(readCommand(printed)).toEqual({
          command: "error",
          file: `x${name}`,
          title: "json-validator/r",
          message,
        });
      }),
    );
  });
});

/** Parses a command as the runner does: at the second `::`, at commas, at the first equals sign. */
function readCommand(line: string): Record<string, string> {
  const end = line.indexOf("::", 2);
  const [, command = "", properties = ""] = /^(\w+) (.*)$/.exec(line.slice(2, end)) ?? [];
  const pairs = properties.split(",").map((pair): [string, string] => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), unescape(pair.slice(at + 1), { "%3A": ":", "%2C": "," })];
  });
  return { command, ...Object.fromEntries(pairs), message: unescape(line.slice(end + 2, -1), {}) };
}

const unescape = (text: string, more: Record<string, string>): string =>
  Object.entries({ "%0D": "\r", "%0A": "\n", ...more, "%25": "%" }).reduce(
    (sum, [escape, character]) => sum.replaceAll(escape, character),
    text,
  );

describe("a document from an option", () => {
  test.each(["human", "json", "sarif", "github"])("is reported once in the format %s", async (format) => {
    const words = ["check", "json-schema-validator", "--schema={", "--format", format, "a.json", "b.json"];
    const ran = await penknife(words, { cwd: folder() });
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toMatch(/^penknife: --schema: [^\n]+\(line 1, column 2\)\n$/);
  });
});

test.each(["json", "sarif", "github"])(
  "--format %s still fails a pipeline when nobody reads it",
  async (format) => {
    const stdout = {
      isTTY: false,
      write: () =>
        Promise.reject(Object.assign(new Error("write EPIPE"), { code: "EPIPE", syscall: "write" })),
    };
    const words = ["check", "json-validator", "*.json", "--format", format];
    expect(await penknife(words, { cwd: folder(), host: { stdout } })).toMatchObject({ status: 1 });
    expect(await penknife(words, { cwd: folder(), host: { stdout, stderr: stdout } })).toMatchObject({
      status: 1,
    });
  },
);
