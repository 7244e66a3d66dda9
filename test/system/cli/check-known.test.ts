import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openValidators } from "../sarif/schema.ts";
import { makeFolder, penknife, shareWorkers } from "./host.ts";
import { makeTree } from "./repository.ts";

const program = shareWorkers();
const run = (cwd: string, ...words: string[]) => penknife(["check", ...words], { cwd, program });
const yaml = (cwd: string, ...words: string[]) => run(cwd, "yaml-validator", ...words, "*.yaml");

/** Two findings of one rule, on lines 2 and 4. */
const twice = "a: 1\na: 2\nb: 1\nb: 2\n";

describe("a comment penknife-ignore", () => {
  const check = async (text: string) => {
    const { status, stdout, stderr } = await yaml(makeFolder({ "a.yaml": text }));
    const places = stdout.match(/(?<=^a\.yaml:)\d+:\d+(?=: )|\([\w-]+\)$/gm) ?? [];
    return { status, places, summary: stderr.trim(), stdout };
  };

  test.each([
    ["on the line", "a: 1\na: 2 # penknife-ignore yaml-validator/duplicate-key both are read\n"],
    ["on the line before", "a: 1\n# penknife-ignore yaml-validator/duplicate-key both are read\na: 2\n"],
    [
      "above another one",
      "a: 1\n# penknife-ignore yaml-validator/duplicate-key x\n# penknife-ignore json-validator/syntax y\na: 2\n",
    ],
    ["in a document with CRLF", "a: 1\r\n# penknife-ignore yaml-validator/duplicate-key both\r\na: 2\r\n"],
  ])("%s ignores a finding", async (_, text) => {
    expect(await check(text)).toMatchObject({
      status: 0,
      places: [],
      summary: "1 file checked, no findings; 1 ignored by comments",
    });
  });

  test("after a value is not for the next line", async () => {
    const { places, stdout } = await check("a: 1 # penknife-ignore yaml-validator/duplicate-key why\na: 2\n");
    expect(places).toEqual(["2:1", "(duplicate-key)", "1:6", "(unused-ignore)"]);
    expect(stdout).toContain(
      "a.yaml:1:6: warning: This comment ignores nothing: yaml-validator/duplicate-key has no finding here. Remove it. (unused-ignore)\n",
    );
  });

  test.each([
    [
      "yaml-validator/duplicate-key",
      /gives no reason, so it ignores nothing: write penknife-ignore yaml-validator\/duplicate-key REASON\./,
    ],
    ["duplicate-key old", /names no tool: duplicate-key is none\. Write penknife-ignore TOOL\/RULE REASON\./],
    ["", /names no rule: write penknife-ignore TOOL\/RULE REASON\./],
  ])("with %j is an error and ignores nothing", async (rest, message) => {
    const { status, places, stdout } = await check(`a: 1\na: 2 # penknife-ignore ${rest}\n`);
    expect(status).toBe(1);
    expect(places).toEqual(["2:1", "(duplicate-key)", "2:6", "(invalid-ignore)"]);
    expect(stdout).toMatch(message);
  });

  test("for a tool that does not run is not reported as unused", async () => {
    expect(await check("a: 1 # penknife-ignore secret-scanner/generic-secret a sample\n")).toMatchObject({
      status: 0,
      places: [],
      summary: "1 file checked, no findings",
    });
  });

  test("for a formatter may be anywhere, and --fix leaves the file as it is", async () => {
    const text = "a:   1\nb: 2\n# penknife-ignore yaml-formatter made by a machine\nc:   3\n";
    const cwd = makeFolder({ "a.yaml": text, "b.yaml": "a:   1\n" });
    const stderr = "1 file checked, no findings; 1 ignored by comments\n";
    expect(await run(cwd, "yaml-formatter", "a.yaml")).toMatchObject({ status: 0, stderr });
    expect(await run(cwd, "yaml-formatter", "--diff", "a.yaml")).toMatchObject({
      status: 0,
      stdout: "",
      stderr,
    });
    const fixed = await run(cwd, "yaml-formatter", "--fix", "a.yaml", "b.yaml");
    expect(fixed).toMatchObject({
      status: 0,
      stderr: "2 files checked, 1 fixed, no findings; 1 ignored by comments\n",
    });
    expect(readFileSync(join(cwd, "a.yaml"), "utf8")).toBe(text);
    expect(readFileSync(join(cwd, "b.yaml"), "utf8")).toBe("a: 1\n");
  });

  test("is found in the document that --fix leaves, where its line may be another", async () => {
    const { cwd } = makeTree({
      "penknife.checks.yaml":
        "checks: [{tool: whitespace-normalizer, files: a.yaml}, {tool: yaml-validator, files: a.yaml}]",
      "a.yaml": "a: 1  \n\n\n\n\n\na: 2 # penknife-ignore yaml-validator/duplicate-key why\n",
    });
    expect(await run(cwd, "--fix")).toMatchObject({
      status: 0,
      stderr: "1 file checked, 1 fixed, no findings; 1 ignored by comments\n",
    });
  });

  test("is heard by each tool of a repository, and reported once", async () => {
    const { cwd } = makeTree({
      "penknife.checks.yaml":
        "checks: [{tool: yaml-validator, files: a.yaml}, {tool: yaml-formatter, files: a.yaml}]",
      "a.yaml":
        "a: 1\na: 2 # penknife-ignore yaml-validator/duplicate-key why\nb: 1 # penknife-ignore x y\nb: 2\n",
    });
    const ran = await run(cwd);
    // With several tools, rules are shown as a comment names them.
    expect(ran.stdout.match(/(?<= \()[\w/-]+(?=\)$)/gm)).toEqual([
      "yaml-validator/duplicate-key",
      "yaml-formatter/invalid_document",
      "penknife/invalid-ignore",
    ]);
    expect(ran.stderr).toMatch(/^1 file checked, /m);
  });
});

describe("--baseline", () => {
  const names = ["--baseline", "known.ndjson"];

  test("counts known findings, which do not fail, and reports new ones", async () => {
    const cwd = makeFolder({ "a.yaml": twice });
    expect(await yaml(cwd, ...names, "--write-baseline")).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "1 file checked, no findings; 2 in the baseline\n",
    });
    writeFileSync(join(cwd, "a.yaml"), `# moved\n\n${twice}c: 1\nc: 2\n`);
    const ran = await yaml(cwd, ...names);
    expect(ran).toMatchObject({
      status: 1,
      stderr: "1 file checked, 1 finding in 1 file; 2 in the baseline\n",
    });
    expect(ran.stdout).toMatch(/^a\.yaml:8:1: .+\n$/);
  });

  test("is a file with one finding a line, sorted, without the text of a document", async () => {
    const cwd = makeFolder({ "b.yaml": twice, "a.yaml": twice });
    await yaml(cwd, ...names, "--write-baseline");
    const text = readFileSync(join(cwd, "known.ndjson"), "utf8");
    expect(text).toMatch(
      /^(?:\{"file":"[ab]\.yaml","rule":"yaml-validator\/duplicate-key","fingerprint":"[\da-f]{32}"\}\n){4}$/,
    );
    const lines = text.split("\n").slice(0, -1);
    expect(lines).toEqual(lines.toSorted());
    await yaml(cwd, ...names, "--write-baseline");
    expect(readFileSync(join(cwd, "known.ndjson"), "utf8")).toBe(text);
    // Written from another folder, the paths are those of the repository.
    writeFileSync(join(cwd, "known.ndjson"), text.replaceAll("\n", "\r\n"));
    expect(await yaml(cwd, ...names)).toMatchObject({ status: 0 });
  });

  test("reports what no longer occurs, and --write-baseline removes it", async () => {
    const cwd = makeFolder({ "a.yaml": twice, "b.yaml": twice, "c.yaml": twice });
    await yaml(cwd, ...names, "--write-baseline");
    writeFileSync(join(cwd, "a.yaml"), twice.replace("b: 2\n", ""));
    rmSync(join(cwd, "c.yaml"));
    // b.yaml is not checked, so nothing is said about it.
    const check = (...words: string[]) => run(cwd, "yaml-validator", ...names, ...words, "a.yaml");
    const gone = (file: string) => `${file} no longer has a known finding of yaml-validator/duplicate-key.\n`;
    expect(await check()).toMatchObject({
      status: 0,
      stderr: `${gone("a.yaml")}${gone("c.yaml").repeat(2)}Remove them from the baseline with --write-baseline.\n1 file checked, no findings; 1 in the baseline\n`,
    });
    const { stale } = JSON.parse((await check("--json")).stdout) as { stale: { file: string }[] };
    expect(stale.map(({ file }) => file)).toEqual(["a.yaml", "c.yaml", "c.yaml"]);
    expect(await check("--write-baseline")).toMatchObject({ status: 0 });
    const left = readFileSync(join(cwd, "known.ndjson"), "utf8").match(/[abc]\.yaml/g);
    expect(left).toEqual(["a.yaml", "b.yaml", "b.yaml"]);
    expect((await check()).stderr).toBe("1 file checked, no findings; 1 in the baseline\n");
  });

  test("does not hide a file that could not be read", async () => {
    const cwd = makeFolder({ "a.yaml": twice });
    const words = ["yaml-validator", "a.yaml", "none.yaml", ...names];
    expect(await run(cwd, ...words, "--write-baseline")).toMatchObject({ status: 2 });
    expect(await run(cwd, ...words)).toMatchObject({ status: 2 });
    expect(readFileSync(join(cwd, "known.ndjson"), "utf8")).not.toContain("none.yaml");
  });
});

test("--max-warnings fails a check with more warnings", async () => {
  const cwd = makeFolder({ "a.env": "A=1\nb-c=2\nd-e=3\n" });
  const check = (...words: string[]) => run(cwd, "env-validator", ...words, "a.env");
  const { stdout } = await check();
  expect(stdout.match(/: warning: /g)).toHaveLength(2);
  expect(await check("--max-warnings=2")).toMatchObject({ status: 0 });
  expect(await check("--max-warnings=1")).toMatchObject({
    status: 1,
    stderr: "1 file checked, 2 findings in 1 file; 2 warnings, and 1 are allowed\n",
  });
  expect(await check("--max-warnings", "0", "--baseline=k", "--write-baseline")).toMatchObject({ status: 0 });
  expect(await check("--max-warnings", "0", "--baseline=k")).toMatchObject({ status: 0 });
});

test("each format says which findings are suppressed, or leaves them out", async () => {
  const text = `${twice}c: 1\nc: 2 # penknife-ignore yaml-validator/duplicate-key both are read\n`;
  const cwd = makeFolder({ "a.yaml": twice });
  await yaml(cwd, "--baseline=k", "--write-baseline");
  writeFileSync(join(cwd, "a.yaml"), `${text}d: 1\nd: 2\n`);
  const check = async (format: string) => {
    const { status, stdout } = await yaml(cwd, "--baseline=k", `--format=${format}`);
    expect(status).toBe(1);
    return stdout;
  };
  const sarif = await check("sarif");
  expect(openValidators().byAjv(sarif)).toEqual([]);
  const [sarifRun] = (JSON.parse(sarif) as { runs: { results: { suppressions: object[] }[] }[] }).runs;
  expect(sarifRun?.results.map(({ suppressions }) => suppressions)).toEqual([
    [],
    [{ kind: "inSource", justification: "both are read" }],
    [{ kind: "external" }],
    [{ kind: "external" }],
  ]);
  const json = JSON.parse(await check("json")) as { items: { errors: object[]; suppressed: object[] }[] };
  expect(json).toMatchObject({
    items: [
      {
        errors: [{ line: 8 }],
        suppressed: [
          { line: 6, by: "comment", reason: "both are read" },
          { line: 2, by: "baseline" },
          { line: 4 },
        ],
      },
    ],
    stale: [],
  });
  expect(Object.keys(json.items[0]?.errors[0] ?? {})).not.toContain("fingerprint");
  for (const format of ["human", "github"]) expect((await check(format)).match(/\n/g)).toHaveLength(1);
  expect(JSON.parse(await check("gitlab"))).toHaveLength(1);
  expect((JSON.parse(await check("rdjson")) as { diagnostics: object[] }).diagnostics).toHaveLength(1);
  expect((await check("checkstyle")).match(/<error /g)).toHaveLength(1);
  expect(await check("junit")).toContain(
    'message="The key &quot;d&quot; occurs twice in this map; the first is on line 7."',
  );
  expect(await check("junit")).not.toContain("and 1 more");
  expect(await check("markdown")).toContain(
    "`1 file checked, 1 finding in 1 file; 1 ignored by comments; 2 in the baseline`",
  );
});
