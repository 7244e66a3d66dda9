import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { createReporter } from "../../../src/surfaces/cli/check/formats/format.ts";
import { toFlag } from "../../../src/lib/shell-words.ts";
import { tools } from "../../../src/tools/index.ts";
import { createTestHost, type Given, makeFolder, penknife, shareWorkers } from "../cli/host.ts";
import { cases, maxSeconds } from "../../support/cases.ts";
import { openValidators, type Validators } from "./schema.ts";

interface Location {
  physicalLocation: {
    artifactLocation: { uri: string; uriBaseId?: string };
    region: Record<string, number>;
  };
  logicalLocations?: { fullyQualifiedName: string }[];
}

interface Notification {
  level: string;
  message: { text: string };
  locations: Location[];
}

interface Rule {
  id: string;
  shortDescription: { text: string };
  fullDescription: { text: string };
  help: { text: string };
}

interface Sarif {
  $schema: string;
  version: string;
  runs: {
    tool: { driver: { name: string; version: string; rules: Rule[]; notifications?: Rule[] } };
    invocations: {
      executionSuccessful: boolean;
      exitCode: number;
      toolExecutionNotifications?: (Notification & { descriptor: { id: string; index: number } })[];
    }[];
    originalUriBaseIds: Record<string, { uri: string }>;
    columnKind: string;
    results: (Notification & { ruleId: string; ruleIndex: number })[];
  }[];
}

const workers = shareWorkers();
let validators: Validators;
beforeAll(() => {
  validators = openValidators();
});

/** Runs a check and validates its answer against the schema and against GitHub's further requirements for code scanning. */
async function check(words: readonly string[], given: Given = {}, mayStop = false, byBoth = true) {
  const { status, stdout, stderr } = await penknife(["check", ...words, "--format=sarif"], {
    program: workers,
    ...given,
  });
  expect(validators.byAjv(stdout)).toEqual([]);
  if (byBoth) expect(await validators.byPenknife(stdout)).toEqual([]);
  const document = JSON.parse(stdout) as Sarif;
  const [run] = document.runs;
  if (run === undefined || document.runs.length > 1) throw new Error("One run is expected");
  expect(run.invocations[0]).toMatchObject({ exitCode: status, executionSuccessful: status < 3 });
  // A timeout on an overloaded machine fails here, and not as a missing finding.
  const notifications = run.invocations[0]?.toolExecutionNotifications ?? [];
  if (!mayStop) expect(notifications).toEqual([]);
  for (const { ruleId, ruleIndex, locations } of run.results) {
    expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expectPlace(locations);
  }
  for (const { shortDescription, fullDescription, help } of run.tool.driver.rules) {
    for (const { text } of [shortDescription, fullDescription, help]) expect(text).toMatch(/^.{1,1024}$/);
  }
  return { status, stderr, document, run, results: run.results };
}

function expectPlace(locations: readonly Location[]): void {
  expect(locations).toHaveLength(1);
  const { artifactLocation, region } = locations[0]?.physicalLocation ?? {};
  // RFC 3986: only characters that a URI may contain, and relative to the base if it is relative.
  expect(artifactLocation?.uri).toMatch(/^[\w.~!'()*%/:-]+$/);
  if (artifactLocation?.uriBaseId !== undefined)
    expect(artifactLocation.uri).not.toMatch(/^\/|:|(?:^|\/)\.\.\//);
  for (const name of ["startLine", "startColumn", "endLine", "endColumn"])
    expect(region?.[name]).toBeGreaterThanOrEqual(1);
}

test("the whole document is deterministic", async () => {
  const cwd = makeFolder({ "a.json": '{"é": 1,}', "b.json": "{}" });
  const { document, status, stderr } = await check(["json-validator", "a.json", "b.json"], { cwd });
  expect(status).toBe(1);
  expect(stderr).toBe("2 files checked, 1 finding in 1 file\n");
  expect(document).toEqual({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "penknife",
            version: "1.2.3",
            semanticVersion: "1.2.3",
            rules: [
              {
                id: "json-validator/syntax",
                shortDescription: { text: "JSON validator: syntax" },
                fullDescription: { text: expect.stringMatching(/^[A-Z].+\.$/) },
                help: {
                  text: "Run penknife tools json-validator for the options and examples of the tool.",
                },
              },
            ],
          },
        },
        invocations: [{ executionSuccessful: true, exitCode: 1 }],
        originalUriBaseIds: { "%SRCROOT%": { uri: `${pathToFileURL(cwd).href}/` } },
        columnKind: "unicodeCodePoints",
        results: [
          {
            ruleId: "json-validator/syntax",
            ruleIndex: 0,
            level: "error",
            message: { text: expect.stringMatching(/comma/) },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: "a.json", uriBaseId: "%SRCROOT%" },
                  // The column counts code points, the offset bytes.
                  region: {
                    startLine: 1,
                    startColumn: 8,
                    endLine: 1,
                    endColumn: 8,
                    byteOffset: 8,
                    byteLength: 0,
                  },
                },
                logicalLocations: [{ fullyQualifiedName: "/é" }],
              },
            ],
          },
        ],
      },
    ],
  });
  expect(await check(["json-validator", "a.json", "b.json"], { cwd })).toMatchObject({ document });
});

test("a run without findings has no results, which closes the alerts of the previous run", async () => {
  const { status, run } = await check(["json-validator", "-"], { stdin: "[]" });
  expect(status).toBe(0);
  expect(run).toMatchObject({ results: [], tool: { driver: { rules: [] } } });
});

describe("files", () => {
  test.each([
    ["a b.json", "a%20b.json"],
    ["a#b?c.json", "a%23b%3Fc.json"],
    ["%41.json", "%2541.json"],
    ["c:d.json", "c%3Ad.json"],
    ["[1]{2}|^`.json", "%5B1%5D%7B2%7D%7C%5E%60.json"],
    ["ü\u{1f600}.json", "%C3%BC%F0%9F%98%80.json"],
    ["-.json", "-.json"],
  ])("%s", async (name, uri) => {
    const cwd = makeFolder({ [name]: "[" });
    const { results } = await check(["json-validator", `./${name}`], { cwd });
    expect(results[0]?.locations[0]?.physicalLocation.artifactLocation).toEqual({
      uri,
      uriBaseId: "%SRCROOT%",
    });
    // The standard defines how the two are joined (§3.4.4).
    expect(new URL(uri, `${pathToFileURL(cwd).href}/`).href).toBe(
      new URL(`file://${cwd}/${name.split("/").map(encodeURIComponent).join("/")}`).href,
    );
  });

  test("below the folder are relative, however they were named; outside of it they are absolute", async () => {
    const cwd = makeFolder({ "top.json": "[" });
    mkdirSync(join(cwd, "sub/in"), { recursive: true });
    for (const name of ["sub/a.json", "sub/in/b.json"]) writeFileSync(join(cwd, name), "[");
    const words = ["in/../a.json", join(cwd, "sub/in/b.json"), "../top.json"];
    const { results } = await check(["json-validator", ...words], { cwd: join(cwd, "sub") });
    expect(results.map(({ locations }) => locations[0]?.physicalLocation.artifactLocation)).toEqual([
      { uri: "a.json", uriBaseId: "%SRCROOT%" },
      { uri: "in/b.json", uriBaseId: "%SRCROOT%" },
      { uri: pathToFileURL(join(cwd, "top.json")).href },
    ]);
  });

  test("under GitHub Actions are relative to the root of the repository", async () => {
    const workspace = makeFolder();
    const cwd = join(workspace, "pack ages");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "a.json"), "[");
    const uris = async (env: Record<string, string>) => {
      const { results, run } = await check(["json-validator", "a.json"], { cwd, env });
      return [
        results[0]?.locations[0]?.physicalLocation.artifactLocation.uri,
        run.originalUriBaseIds["%SRCROOT%"]?.uri,
      ];
    };
    const here = `${pathToFileURL(cwd).href}/`;
    expect(await uris({ GITHUB_WORKSPACE: workspace })).toEqual([
      "pack%20ages/a.json",
      `${pathToFileURL(workspace).href}/`,
    ]);
    expect(await uris({ GITHUB_WORKSPACE: cwd })).toEqual(["a.json", here]);
    // Another checkout, and a path that is not a folder.
    expect(await uris({ GITHUB_WORKSPACE: `${cwd}x` })).toEqual(["a.json", here]);
    expect(await uris({ GITHUB_WORKSPACE: "pack ages" })).toEqual(["a.json", here]);
  });

  test("standard input has no path", async () => {
    const { results } = await check(["json-validator", "-"], { stdin: "[1 2]" });
    expect(results[0]?.locations[0]?.physicalLocation.artifactLocation).toEqual({
      uri: "-",
      description: { text: "Standard input" },
    });
  });
});

describe("findings", () => {
  test("have their rule, severity and place in the value", async () => {
    const cwd = makeFolder({ "a.env": "A=1\nA=2\nb-c=3\n", "b.env": "=1\n" });
    const { run, results } = await check(["env-validator", "a.env", "b.env"], { cwd });
    expect(new Set(results.map(({ level }) => level))).toEqual(new Set(["error", "warning"]));
    const ids = run.tool.driver.rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(results.map(({ ruleId }) => ruleId))).toEqual(new Set(ids));
    expect(ids.every((id) => id.startsWith("env-validator/"))).toBe(true);
  });

  test("carry the pointer", async () => {
    const schema = '{"properties":{"a/b":{"type":"string"}}}';
    const { results } = await check(["json-schema-validator", "--schema", schema, "-"], {
      stdin: '{"a/b":1}',
    });
    expect(results[0]?.locations[0]?.logicalLocations).toEqual([{ fullyQualifiedName: "/a~1b" }]);
  });

  test("of a formatter have its name as their rule; an unreadable document has the message of the refusal", async () => {
    const cwd = makeFolder({ "a.json": '{"a":1}', "b.json": "{", "c.json": Buffer.from([0x22, 0xff, 0x22]) });
    const { run } = await check(["json-formatter", "a.json", "b.json", "c.json"], { cwd });
    expect(run.results.map(({ ruleId }) => ruleId)).toEqual([
      "json-formatter",
      "json-formatter/invalid_document",
      "json-formatter/invalid_document",
    ]);
    expect(run.tool.driver.rules.map(({ shortDescription }) => shortDescription.text)).toEqual([
      "JSON formatter: the document would change",
      "JSON formatter: the document cannot be processed",
    ]);
  });

  test("cannot inject a link into an alert", async () => {
    const schema = '{"additionalProperties":false}';
    const stdin = '{"[free](https://evil.example)":1}';
    const { results } = await check(["json-schema-validator", "--schema", schema, "-"], { stdin });
    expect(results[0]?.message.text).toContain(String.raw`[free\](https://evil.example)`);
  });
});

test("a file that could not be checked is reported as a failure of the run, not of the sources", async () => {
  const cwd = makeFolder({ "a.json": "[", "b.json": `"${"a".repeat(40)}!"` });
  const schema = '{"pattern":"^(a|a)*$(?=x)"}';
  const words = ["json-schema-validator", "--schema", schema, "a.json", "b.json"];
  const stopped = (deadlineMs: number) =>
    check(words, { cwd, env: { PENKNIFE_TOOLS_DEADLINE_MS: String(deadlineMs) }, program: {} }, true);
  let deadlineMs = 1000;
  let { status, run } = await stopped(deadlineMs);
  // A busy machine may need longer to load the tool for the first file.
  while (run.results.length === 0 && deadlineMs < 30_000)
    ({ status, run } = await stopped((deadlineMs *= 2)));
  expect(status).toBe(3);
  expect(run.results.map(({ ruleId }) => ruleId)).toEqual(["json-schema-validator/syntax"]);
  const [notifications, ...more] = run.invocations[0]?.toolExecutionNotifications ?? [];
  expect(more).toEqual([]);
  expect(notifications).toMatchObject({
    descriptor: { id: "json-schema-validator/deadline_exceeded", index: 0 },
    level: "error",
    locations: [{ physicalLocation: { artifactLocation: { uri: "b.json", uriBaseId: "%SRCROOT%" } } }],
  });
  expect(run.tool.driver.notifications?.[0]?.id).toBe("json-schema-validator/deadline_exceeded");
});

test("rules belong to the tool of each finding, and to the command if there is no tool", async () => {
  const catalog = createCatalog(tools);
  const [json, yaml] = await Promise.all([catalog.get("json-validator"), catalog.get("yaml-validator")]);
  let printed = "";
  const print = async (text: string) => void (printed += text);
  const { host } = createTestHost();
  const reporter = createReporter("sarif", { version: "1.2.3", host, several: true, isTTY: false, print });
  const finding = { message: "m", severity: "error", rule: "syntax" } as const;
  for (const tool of [json, yaml, json])
    await reporter.add({ tool, name: "a", valid: false, errors: [finding] });
  await reporter.add({ name: "b", valid: false, unread: true, errors: [{ ...finding, rule: "no-match" }] });
  await reporter.end({ status: 2, leftOut: [{ reason: ".git", files: 1 }], summary: "" });
  expect(validators.byAjv(printed)).toEqual([]);
  const [run] = (JSON.parse(printed) as Sarif).runs;
  expect(run?.results.map(({ ruleId, ruleIndex }) => [ruleId, ruleIndex])).toEqual([
    ["json-validator/syntax", 0],
    ["yaml-validator/syntax", 1],
    ["json-validator/syntax", 0],
  ]);
  expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual([
    "json-validator/syntax",
    "yaml-validator/syntax",
  ]);
  expect(run?.tool.driver.notifications?.map(({ id }) => id)).toEqual([
    "penknife/no-match",
    "penknife/left-out",
  ]);
});

describe("every tool with a check mode", async () => {
  const all = await createCatalog(tools).all();
  const checkable = all.filter((tool) => tool.check !== undefined);
  // The documents differ in the tool only. Our own validator reads the reports of some.
  const twice = new Set(cases(checkable, maxSeconds).map(({ slug }) => slug));
  test.each(checkable.map(({ slug, examples }) => ({ slug, examples })))(
    "$slug",
    async ({ slug, examples }) => {
      for (const { input } of examples) {
        const { data, ...options } = input as Record<string, unknown>;
        // The command has a --format of its own; that of a differ has no effect on its report.
        const words = Object.entries(options).flatMap(([name, value]) =>
          name === "format" ? [] : [value].flat().map((one) => `--${toFlag(name)}=${String(one)}`),
        );
        const { status } = await check(
          [slug, ...words, "-"],
          { stdin: String(data) },
          false,
          twice.has(slug),
        );
        expect(status).toBeLessThan(2);
      }
    },
  );
});

test("both validators find the error", async () => {
  const cwd = makeFolder({ "a.json": "[" });
  const { document } = await check(["json-validator", "a.json"], { cwd });
  const wrong = JSON.stringify(document)
    .replace('"startLine":1', '"startLine":0')
    .replace('"error"', '"bad"');
  expect(validators.byAjv(wrong)).toHaveLength(2);
  expect(await validators.byPenknife(wrong)).toHaveLength(2);
});
