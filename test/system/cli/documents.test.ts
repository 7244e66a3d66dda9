import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { takesTwo } from "../../../src/surfaces/cli/tool-options.ts";
import { tools } from "../../../src/tools/index.ts";
import { makeFolder, penknife } from "./host.ts";

/** Standard input that a command must leave alone. */
const untouched = {
  isTTY: false,
  readAll: () => expect.unreachable(),
  readOrStream: () => expect.unreachable(),
  chunks: () => expect.unreachable(),
};

const run = (...words: string[]) => penknife(["run", ...words], { host: { stdin: untouched } });

describe("--text is the document", () => {
  test.each([
    [["json-formatter", "--text", '{"a":1}'], '{\n  "a": 1\n}\n'],
    [["json-minifier", '--text={"a" : "b=c\\n"}'], '{"a":"b=c\\n"}\n'],
    [["hex-encoder", "--text", ""], ""],
    [["hex-encoder", "--text="], ""],
    [["hex-encoder", "--text=-n"], "2d6e"],
    [["hex-encoder", "--text", "--"], "2d2d"],
    [["hex-encoder", "--text=true"], "74727565"],
    [["hex-encoder", "--text", "é\r\n"], "c3a90d0a"],
    [["json-differ", "--text", "1", "--other", "1"], "[]\n"],
    [
      ["xml-to-json", "--indent=0", "--text", "<a b='1'>c</a>", "--text-key", "_"],
      '{"a":{"@b":"1","_":"c"}}\n',
    ],
  ])("%j, and standard input belongs to the caller", async (words, stdout) => {
    expect(await run(...words)).toMatchObject({ status: 0, stdout, stderr: "" });
  });

  test("of a pipeline", async () => {
    const cwd = makeFolder({ "p.yaml": "steps: [{tool: base64-decoder}, {tool: json-minifier}]" });
    const words = ["run", "-p", "p.yaml", "--text", "eyJhIjogMX0="];
    expect(await penknife(words, { cwd, host: { stdin: untouched } })).toMatchObject({
      status: 0,
      stdout: '{"a":1}\n',
    });
  });

  test("a fault in it has a place, and exit status 1", async () => {
    const { status, stderr } = await run("json-formatter", "--text", "[1\n2]");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^penknife: --text:2:1: .*\n2 \| 2\]\n {4}\^\n$/);
  });

  test.each([
    [["json-formatter", "--text", "1", "a.json"], "Give FILE or --text, not both."],
    [["json-formatter", "-", "--text", "1"], "Give FILE or --text, not both."],
    [["json-formatter", "--text", "1", "--text", "2"], "--text is given more than once; give it once."],
    [["json-formatter", "--text"], "--text needs a value: --text TEXT"],
    [
      ["hash-generator", "--text", "--help me"],
      "--text needs a value: --text TEXT. If '--help me' is the value: --text='--help me'",
    ],
    [
      ["hash-generator", "--text", "caf\ufffd"],
      "--text contains U+FFFD, which stands for bytes that are not UTF-8; give the document as a file or on standard input.",
    ],
    [
      ["hash-generator", "--text", "\ud800"],
      "--text contains U+FFFD, which stands for bytes that are not UTF-8; give the document as a file or on standard input.",
    ],
    [
      ["json-differ", "--text", "1", "b.json"],
      "Give FILE or --text, not both. The second document is --other-file.",
    ],
    [
      ["json-differ", "--text", "1"],
      "Give SECOND, --other or --other-file. Run penknife run json-differ --help for usage.",
    ],
    [
      ["uuid-generator", "--text", "x"],
      "Unknown option --text. Run penknife run uuid-generator --help for a list.",
    ],
    [
      ["json-formatter", '{"a": 1}'],
      '{"a": 1} cannot be read: there is no such file. To pass it as text: penknife run json-formatter --text \'{"a": 1}\'',
    ],
    [
      ["hash-generator", "--", "-x"],
      "-x cannot be read: there is no such file. To pass it as text: penknife run hash-generator --text=-x",
    ],
    [
      ["json-formatter", "--report.json"],
      "Unknown option --report.json. A file of this name follows --, or starts with ./.",
    ],
  ])("%j is a usage error", async (words, message) => {
    expect(await run(...words)).toMatchObject({ status: 2, stdout: "", stderr: `penknife: ${message}\n` });
  });

  test("a pipeline that makes its own document refuses it", async () => {
    const cwd = makeFolder({ "p.yaml": "steps: [{tool: uuid-generator}]" });
    expect(await penknife(["run", "-p", "p.yaml", "--text", "x"], { cwd })).toMatchObject({
      status: 2,
      stderr: "penknife: uuid-generator, the first step, takes no document; leave out --text.\n",
    });
  });
});

describe("a comparison takes two files", () => {
  const files = { "a.json": '{"n":1}', "b.json": '{"n":2}', "a.env": "A=1\n", "b.env": "A=1\nB=2\n" };
  const compare = (words: string[], stdin = "") =>
    penknife(["run", ...words], { cwd: makeFolder(files), stdin });
  const patch = '[\n  {\n    "op": "replace",\n    "path": "/n",\n    "value": 2\n  }\n]\n';

  test("the tools are those that compare", async () => {
    const all = await createCatalog(tools).all();
    expect(all.filter(takesTwo).map(({ slug }) => slug)).toEqual([
      "env-comparer",
      "graphql-differ",
      "json-differ",
      "json-merger",
      "list-comparer",
      "openapi-differ",
      "text-differ",
      "three-way-merger",
      "yaml-merger",
    ]);
  });

  test.each([
    [["json-differ", "a.json", "b.json"], ""],
    [["json-differ", "a.json", "-"], files["b.json"]],
    [["json-differ", "-", "b.json"], files["a.json"]],
    [["json-differ", "a.json", "--other-file", "b.json"], ""],
    [["json-differ", "--other-file", "b.json"], files["a.json"]],
    [["json-differ", "--text", files["a.json"], "--other-file", "b.json"], ""],
  ])("%j", async (words, stdin) => {
    expect(await compare(words, stdin)).toMatchObject({ status: 0, stdout: patch, stderr: "" });
  });

  test("in the order old, new", async () => {
    const { stdout } = await compare(["text-differ", "a.env", "b.env"]);
    expect(stdout).toMatch(/^\+B=2$/m);
    const report = await compare(["env-comparer", "a.env", "b.env"]);
    expect(report.status).toBe(1);
    expect(JSON.parse(report.stdout)).toMatchObject({ valid: false });
    expect(report.stdout).toContain("B ");
  });

  test.each([
    [
      ["json-differ", "-", "-"],
      "Only one of the two documents can be standard input (-); give a file for the other.",
    ],
    [
      ["json-differ", "a.json"],
      "Give SECOND, --other or --other-file. Run penknife run json-differ --help for usage.",
    ],
    [["json-differ", "a.json", "b.json", "--other", "1"], "Give SECOND or --other, not both."],
    [["json-differ", "a.json", "b.json", "--other-file", "b.json"], "Give SECOND or --other-file, not both."],
    [
      ["json-differ", "a.json", "b.json", "c.json"],
      'Unexpected argument "c.json": this command takes two files. Run penknife run json-differ --help for usage.',
    ],
    [["json-differ", "nope.json", "b.json"], "nope.json cannot be read: there is no such file"],
    [["json-differ", "a.json", "nope.json"], "nope.json cannot be read: there is no such file"],
    [["json-differ", "a.json", "."], ". cannot be read: it is a folder"],
    [["json-differ", ".", "b.json"], ". cannot be read: it is a folder"],
  ])("%j is a usage error", async (words, message) => {
    expect(await compare(words)).toMatchObject({ status: 2, stdout: "", stderr: `penknife: ${message}\n` });
  });

  test("a fault in the second is shown in it", async () => {
    const cwd = makeFolder({ "a.json": "{}", "b.json": "{\n]" });
    const { status, stderr } = await penknife(["run", "json-differ", "a.json", "b.json"], { cwd });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^penknife: b\.json:2:1: /);
  });

  test("and the help says so", async () => {
    const { stdout } = await penknife(["run", "json-differ", "--help"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "penknife run json-differ [OPTIONS] [FILE] (SECOND | --other TEXT | --other-file FILE) Arguments:",
    );
    // `check` takes many files, so that its second document is an option.
    expect((await penknife(["check", "env-comparer", "--help"])).stdout.replaceAll(/\s+/g, " ")).toContain(
      "(--other TEXT | --other-file FILE | --against REF) [OPTIONS] [FILES]",
    );
  });
});

describe("several files for a tool that takes one", () => {
  const refused = async (...words: string[]) => {
    const { status, stderr } = await run(...words);
    expect(status).toBe(2);
    return stderr;
  };

  test("are refused with a command that checks them and a loop that runs them", async () => {
    expect(await refused("json-validator", "--duplicate-keys", "allow", "a b.json", "c.json")).toBe(
      `penknife: Unexpected argument "c.json": this command takes one file. To check them: penknife check json-validator --duplicate-keys allow 'a b.json' c.json. Run it once for each file: for file in 'a b.json' c.json; do penknife run json-validator --duplicate-keys allow "$file"; done\n`,
    );
    expect(await refused("json-formatter", "--check", "a", "b")).toContain(
      "To check them: penknife check json-formatter a b. ",
    );
  });

  test("without check where the tool has none, or the options are those of run", async () => {
    expect(await refused("base64-encoder", "a", "b")).not.toContain("penknife check");
    expect(await refused("json-formatter", "--out", "x", "a", "b")).not.toContain("penknife check");
  });

  test("without repeating a long list", async () => {
    const many = Array.from({ length: 5000 }, (_, at) => `${at}.json`);
    expect(await refused("json-formatter", ...many)).toContain(
      'To check them: penknife check json-formatter FILES. Run it once for each file: for file in FILES; do penknife run json-formatter "$file"; done',
    );
  });
});
