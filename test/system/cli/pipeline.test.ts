import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTestHost, type Given, makeFolder, penknife } from "./host.ts";

const house = `title: House JSON
summary: Decode base64 and format the JSON that is in it.
steps:
  - tool: base64-decoder
  - tool: json-formatter
    with: { indent: 1 }
`;

/** Creates a folder with a configuration and pipelines beside it. */
function makeInstallation(pipelines: Record<string, string>, files: Record<string, string> = {}): string {
  const folder = makeFolder({ "penknife.yaml": "tools:\n  deadlineMs: 60000\n", ...files });
  mkdirSync(join(folder, "pipelines"));
  for (const [name, text] of Object.entries(pipelines)) writeFileSync(join(folder, "pipelines", name), text);
  return folder;
}

const encoded = (text: string) => Buffer.from(text).toString("base64");

describe("run -p", () => {
  const run = (words: string[], given: Given = {}, text = house) =>
    penknife(["run", ...words], { cwd: makeFolder({ "p.yaml": text, "doc.b64": encoded("[1]") }), ...given });

  test.each([
    [["-p", "p.yaml", "doc.b64"]],
    [["--pipeline", "p.yaml", "doc.b64"]],
    [["--pipeline=p.yaml", "doc.b64"]],
    [["--no-color", "-p", "p.yaml", "--", "doc.b64"]],
    [["--out=-", "-p", "p.yaml", "doc.b64"]],
  ])("%j runs the steps on a file", async (words) => {
    expect(await run(words)).toMatchObject({ status: 0, stdout: "[\n 1\n]\n", stderr: "" });
  });

  test("reads standard input and writes exact bytes", async () => {
    for (const file of [[], ["-"]])
      expect((await run(["-p", "p.yaml", ...file], { stdin: "WzJd" })).stdout).toBe("[\n 2\n]\n");
    const ran = await run(["-p", "p.yaml"], { stdin: "//8=" }, "steps: [{tool: base64-decoder}]");
    expect(ran.bytes).toEqual(Buffer.from([0xff, 0xff]));
  });

  test("--check prints the verdict of the last step", async () => {
    const check = (document: string) => run(["-p", "p.yaml", "--check"], { stdin: encoded(document) });
    expect(await check("[]\n")).toMatchObject({
      status: 0,
      stdout: '{\n  "valid": true,\n  "errors": []\n}\n',
    });
    expect((await check("[1]")).status).toBe(1);
    const none = await run(["-p", "p.yaml", "--check"], {}, "steps: [{tool: base64-encoder}]");
    expect(none).toMatchObject({ status: 2, stdout: "" });
    expect(none.stderr).toContain("base64-encoder, has no check mode");
  });

  test("--out writes a file", async () => {
    const cwd = makeFolder({ "p.yaml": house });
    const ran = await penknife(["run", "-p", "p.yaml", "--out", "result.json"], { cwd, stdin: "WzFd" });
    expect(ran).toMatchObject({ status: 0, stdout: "" });
    expect((await penknife(["run", "json-minifier", "result.json"], { cwd })).stdout).toBe("[1]\n");
  });

  test("a fault in the file names the step and shows the line", async () => {
    const ran = await run(["-p", "p.yaml"], { stdin: "WzFd\nW!Fd" });
    expect(ran).toMatchObject({ status: 1, stdout: "" });
    expect(ran.stderr).toMatch(/^penknife: <stdin>:2:2: Step 1 \(base64-decoder\): .*\n2 \| W!Fd\n {5}\^\n$/);
  });

  test("a fault in the input of a later step shows that input", async () => {
    const ran = await run(["-p", "p.yaml"], { stdin: encoded('{\n  "é": [1 2]\n}') });
    expect(ran).toMatchObject({ status: 1, stdout: "" });
    expect(ran.stderr).toMatch(
      /^penknife: step 2 \(json-formatter\):2:11: .*\n2 \| {3}"é": \[1 2\]\n {14}\^\n$/,
    );
  });

  test("also shows a document that was transferred to a worker", async () => {
    const steps = "steps: [{tool: base64-decoder}, {tool: json-sorter}, {tool: json-formatter}]";
    const ran = await run(["-p", "p.yaml"], { stdin: encoded("[1,]") }, steps);
    expect(ran.stderr).toMatch(/^penknife: step 2 \(json-sorter\):1:3: .*\n1 \| \[1,\]\n/);
  });

  test("an invalid option names the step", async () => {
    const steps = "steps: [{tool: json-schema-validator, with: {schema: {type: strin}}}]";
    const ran = await run(["-p", "p.yaml"], { stdin: "1" }, steps);
    expect(ran).toMatchObject({ status: 1, stdout: "" });
    expect(ran.stderr).toMatch(/^penknife: Step 1 \(json-schema-validator\): schema: /);
  });

  test("a step that never ends is stopped", async () => {
    const steps =
      'steps: [{tool: regex-tester, with: {pattern: "^(a|a)*$", engine: js}}, {tool: json-formatter}]';
    const given = { stdin: `${"a".repeat(60)}!`, env: { PENKNIFE_TOOLS_DEADLINE_MS: "300" } };
    const ran = await run(["-p", "p.yaml"], given, steps);
    expect(ran.status).toBe(3);
    expect(ran.stderr).toBe(
      "penknife: Step 1 (regex-tester): The tool was stopped after 300 ms, the limit.\n",
    );
  });

  test("needs no document if the first tool takes none", async () => {
    const steps = "steps: [{tool: uuid-generator, with: {version: nil}}, {tool: hex-encoder}]";
    expect((await run(["-p", "p.yaml"], {}, steps)).stdout).toMatch(/^30{1}(?:30|2d)+$/);
    const ran = await run(["-p", "p.yaml", "doc.b64"], {}, steps);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain("uuid-generator, the first step, takes no document; leave out doc.b64");
  });

  test.each<[string, string[], string]>([
    ["no file of steps", ["-p"], "--pipeline needs a value"],
    ["one that is not there", ["-p", "q.yaml"], "q.yaml cannot be read: there is no such file"],
    ["a folder", ["-p", "."], ". cannot be read: it is a folder"],
    ["a document that is not there", ["-p", "p.yaml", "x"], "x cannot be read: there is no such file"],
    [
      "two documents",
      ["-p", "p.yaml", "doc.b64", "doc.b64"],
      'Unexpected argument "doc.b64": this command takes one file.',
    ],
    ["two pipelines", ["-p", "p.yaml", "-p", "p.yaml"], "--pipeline is given more than once"],
    ["an option of a tool", ["-p", "p.yaml", "--indent", "2"], "Unknown option --indent"],
    ["a mistyped option", ["--pipelin", "p.yaml"], "Did you mean --pipeline?"],
    ["another short option", ["-x", "p.yaml"], "Unknown option -x"],
  ])("%s is a usage error", async (_, words, message) => {
    const ran = await run(words, { stdin: "" });
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain(message);
  });

  test("reports faults in the steps with line and column", async () => {
    const ran = await run(["-p", "p.yaml"], {}, "steps:\n  - tool: json-formatter\n    with: {indnt: 1}\n");
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toBe(
      'penknife: p.yaml:3:19: Step 1 (json-formatter): Unknown field "indnt". Did you mean indent?\n',
    );
  });

  test("refuses a disabled tool as a step", async () => {
    const ran = await run(["-p", "p.yaml"], {
      env: { PENKNIFE_TOOLS_DISABLED: "json-formatter" },
      stdin: "",
    });
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain(
      "json-formatter is switched off by tools.disabled (environment PENKNIFE_TOOLS_DISABLED)",
    );
  });

  test("has help, which the help of run mentions", async () => {
    const own = await penknife(["run", "-p", "p.yaml", "--help"]);
    expect(own.stdout).toContain("Usage: penknife run --pipeline FILE [OPTIONS] [FILE]");
    expect((await penknife(["run", "--help"])).stdout).toMatch(/^ {2}-p, --pipeline FILE {2}/m);
  });
});

describe("pipelines beside the configuration", () => {
  test("are tools", async () => {
    const cwd = makeInstallation({ "house-json.yaml": house }, { "doc.b64": encoded("[1]") });
    expect(await penknife(["run", "house-json", "doc.b64"], { cwd })).toMatchObject({
      status: 0,
      stdout: "[\n 1\n]\n",
      stderr: "",
    });
    expect((await penknife(["tools"], { cwd })).stdout).toMatch(/\nhouse-json\tDecode base64 and [^\n]+\n$/);
    const described = await penknife(["tools", "house-json"], { cwd });
    expect(described.stdout).toContain("Steps:\n  1. base64-decoder\n  2. json-formatter\n");
    const json = JSON.parse((await penknife(["tools", "house-json", "--json"], { cwd })).stdout) as object;
    expect(json).toMatchObject({ category: "pipelines", steps: ["base64-decoder", "json-formatter"] });
    expect((await penknife(["tools", "--markdown"], { cwd })).stdout).toContain("### house-json\n");
    expect((await penknife(["run", "--help"], { cwd })).stdout).toContain("  house-json ");
    expect((await penknife(["run", "hous-json"], { cwd })).stderr).toContain("Did you mean house-json?");
  });

  test.each([[["--config", "conf/penknife.yaml", "run"]], [["run", "--config=conf/penknife.yaml"]]])(
    "are found where %j says",
    async (words) => {
      const cwd = makeFolder();
      mkdirSync(join(cwd, "conf/pipelines"), { recursive: true });
      writeFileSync(join(cwd, "conf/penknife.yaml"), "");
      writeFileSync(join(cwd, "conf/pipelines/house-json.yaml"), house);
      const ran = await penknife([...words, "house-json"], { cwd, stdin: "WzFd" });
      expect(ran).toMatchObject({ status: 0, stdout: "[\n 1\n]\n" });
      const late = await penknife(["run", "house-json", "--config", "conf/penknife.yaml"], {
        cwd,
        stdin: "WzFd",
      });
      expect(late.status).toBe(0);
      const env = { PENKNIFE_CONFIG: "conf/penknife.yaml" };
      expect((await penknife(["run", "house-json"], { cwd, env, stdin: "WzFd" })).status).toBe(0);
      expect((await penknife(["run", "house-json"], { cwd, stdin: "WzFd" })).status).toBe(2);
    },
  );

  test("are ignored without a configuration, because a folder of that name may be anything", async () => {
    const cwd = makeFolder();
    mkdirSync(join(cwd, "pipelines"));
    writeFileSync(join(cwd, "pipelines/Jenkins.yaml"), "stages: []");
    expect((await penknife(["run", "json-minifier"], { cwd, stdin: "[ ]" })).stdout).toBe("[]\n");
    expect((await penknife(["tools"], { cwd })).stdout).not.toContain("enkins");
  });

  test("are read from /etc/penknife without a configuration, as in a container", async () => {
    const { files } = createTestHost({ cwd: makeFolder() }).host;
    const list = (path: string) => (path === "/etc/penknife/pipelines" ? ["house-json.yaml"] : undefined);
    const readText = (path: string) =>
      path === "/etc/penknife/pipelines/house-json.yaml" ? house : undefined;
    const given = { host: { files: { ...files, list, readText } }, stdin: "WzFd" };
    expect(await penknife(["run", "house-json"], given)).toMatchObject({ status: 0, stdout: "[\n 1\n]\n" });
  });

  test("are YAML files whose names do not start with a dot", async () => {
    const cwd = makeInstallation({
      "house-json.yaml": house,
      ".hidden.yaml": "x",
      "README.md": "x",
      "a.yaml~": "x",
    });
    expect((await penknife(["tools"], { cwd })).stdout).toMatch(/\nhouse-json\t/);
    mkdirSync(join(cwd, "pipelines/folder.yaml"));
    const ran = await penknife(["run", "folder"], { cwd });
    expect(ran).toMatchObject({ status: 2 });
  });

  test("an invalid one is reported when used, and does not affect other commands", async () => {
    const cwd = makeInstallation({ "bad.yaml": "steps:\n  - tool: json-formater\n" });
    expect((await penknife(["run", "json-minifier"], { cwd, stdin: "[ ]" })).status).toBe(0);
    const message =
      "penknife: pipelines/bad.yaml:2:11: Step 1: There is no tool of that name. Did you mean json-formatter?\n";
    for (const words of [["run", "bad"], ["check", "bad", "-"], ["tools", "bad"], ["tools"]])
      expect(await penknife(words, { cwd, stdin: "" })).toMatchObject({ status: 2, stderr: message });
  });

  test("an invalid name is reported by every command that lists tools", async () => {
    const cwd = makeInstallation({ "json-formatter.yaml": house });
    const ran = await penknife(["run", "json-minifier"], { cwd, stdin: "[ ]" });
    expect(ran).toMatchObject({
      status: 2,
      stderr:
        "penknife: pipelines/json-formatter.yaml: json-formatter is a tool already; give the pipeline another name.\n",
    });
  });

  test("an unreadable folder is reported", async () => {
    const list = () => {
      throw Object.assign(new Error("EACCES"), { code: "EACCES" });
    };
    const cwd = makeInstallation({});
    const { files } = createTestHost({ cwd }).host;
    const ran = await penknife(["tools"], { cwd, host: { files: { ...files, list } } });
    expect(ran).toMatchObject({
      status: 2,
      stderr: "penknife: pipelines cannot be read: permission denied\n",
    });
  });

  test("a disabled step prevents the run", async () => {
    const cwd = makeInstallation({ "house-json.yaml": house });
    const env = { PENKNIFE_TOOLS_DISABLED: "base64-decoder" };
    const ran = await penknife(["run", "house-json"], { cwd, env, stdin: "WzFd" });
    expect(ran.stderr).toContain("base64-decoder is switched off by tools.disabled");
    expect((await penknife(["tools"], { cwd, env })).stderr).toContain(
      "pipelines/house-json.yaml:4:11: Step 1: base64-decoder is switched off by tools.disabled",
    );
  });

  test("errors name the step and the line, as with -p", async () => {
    const cwd = makeInstallation({ "house-json.yaml": house });
    const ran = await penknife(["run", "house-json"], { cwd, stdin: encoded("[1 2]") });
    expect(ran.stderr).toMatch(/^penknife: step 2 \(json-formatter\):1:4: .*\n1 \| \[1 2\]\n/);
  });
});

describe("check with a pipeline", () => {
  const files = { "good.yaml": "port: 80\n", "bad.yaml": "port: x\n", "none.yaml": "a: [\n" };
  const audit = `steps:
  - tool: yaml-to-json
  - tool: json-schema-validator
    with:
      schema: { properties: { port: { type: integer } } }
`;

  test("checks many files, and reports a place only if it is in the file", async () => {
    const cwd = makeInstallation({ "audit.yaml": audit }, files);
    const ran = await penknife(["check", "audit", "good.yaml", "bad.yaml", "none.yaml"], { cwd });
    expect(ran.status).toBe(1);
    const [bad, none] = ran.stdout.split("\n");
    expect(bad).toBe(
      "bad.yaml: Step 2 (json-schema-validator): Must be integer, not string. (line 2, column 11 of its input) (type)",
    );
    expect(none).toMatch(/^none\.yaml:2:1: .* \(invalid_document\)$/);
  });

  test("reports places in the file for a single step", async () => {
    const cwd = makeInstallation(
      { "strict.yaml": "steps: [{tool: json-validator}]" },
      { "a.json": "[\n1,]" },
    );
    expect((await penknife(["check", "strict", "a.json"], { cwd })).stdout).toMatch(/^a\.json:2:2: /);
  });

  test("reports a fault in a second document without a place", async () => {
    const cwd = makeInstallation({ "audit.yaml": audit.replace("integer", "strin") }, files);
    const ran = await penknife(["check", "audit", "--json", "good.yaml"], { cwd });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      items: [
        { valid: false, errors: [{ rule: "invalid_document", message: expect.stringContaining("Step 2") }] },
      ],
    });
  });
});
