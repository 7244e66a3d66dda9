import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CatalogTool, createCatalog } from "../../../src/catalog/catalog.ts";
import { addContext } from "../../../src/checks/finding-context.ts";
import type { CheckedFile, FileFinding } from "../../../src/checks/verdict.ts";
import { createReporter, type Format } from "../../../src/surfaces/cli/check/formats/format.ts";
import { tools } from "../../../src/tools/index.ts";
import { createTestHost, makeFolder, penknife, shareWorkers } from "../cli/host.ts";
import { isGitlabReport, type MarkdownNode, readCheckstyle, readJunit, readMarkdown } from "./readers.ts";
import { validateJunit, validateRdjson } from "./readers.ts";

const program = shareWorkers();
const catalog = createCatalog(tools);
const [json, yaml] = (await Promise.all([catalog.get("json-validator"), catalog.get("yaml-validator")])) as [
  CatalogTool,
  CatalogTool,
];

/** Reports verdicts, which need no files. */
async function report(format: Format, files: readonly CheckedFile[], status = 1): Promise<string> {
  let printed = "";
  const print = async (text: string) => void (printed += text);
  const { host } = createTestHost({ cwd: "/r" });
  const reporter = createReporter(format, { version: "1.2.3", host, several: true, isTTY: false, print });
  for (const file of files) await reporter.add(addContext(file, file.name));
  await reporter.end({ status, leftOut: [], summary: `${files.length} files checked` });
  return printed;
}

const finding = (message: string, more: Partial<FileFinding> = {}): FileFinding => ({
  message,
  severity: "error",
  rule: "syntax",
  ...more,
});
const verdict = (name: string, errors: FileFinding[], more: Partial<CheckedFile> = {}): CheckedFile => ({
  name,
  tool: json,
  valid: errors.length === 0,
  errors,
  ...more,
});

/** Texts that a document or the name of a file may put into a message. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "a",
      "<",
      "&",
      "]]>",
      '"',
      "'",
      "`",
      "|",
      "\\",
      "\n",
      "\r",
      "\0",
      "\u001b",
      "\ufffe",
      "\ud800",
    ),
    fc.constantFrom(
      "[x](http://e.example)",
      "https://e.example",
      "www.e.example",
      "@ada",
      "a@e.example",
      "#1",
      "*",
      "_",
    ),
    fc.constantFrom("-->", "<!--", "<img src=x>", "\u2028", "\u0085", "é", "😀", " ", "]", "\t", "&lt;"),
  ),
  maxLength: 12,
});

/** One of everything: two tools, a clean file, errors, warnings, a failure, and a name without a file. */
const mixed: CheckedFile[] = [
  verdict("no.json", [finding("No file matches no.json", { rule: "no-match" })], { unread: true }),
  verdict("a.json", []),
  verdict("a.json", [], { tool: yaml }),
  verdict("b/c.json", [
    finding("Expected a comma", { line: 2, column: 3 }),
    finding("Twice", { line: 4, column: 1, severity: "warning", rule: "duplicate-key" }),
  ]),
  verdict("d.yaml", [finding("Odd", { line: 1, column: 1, severity: "warning", rule: "odd" })], {
    tool: yaml,
    valid: true,
  }),
  verdict("e.yaml", [finding("The deadline has passed", { rule: "deadline_exceeded" })], {
    tool: yaml,
    failed: true,
  }),
];

describe("junit", () => {
  test("has a passing case for each clean file and tool, and tells failures from errors", async () => {
    const xml = await report("junit", mixed, 3);
    validateJunit(xml);
    const { tests, failures, errors, testsuite } = await readJunit(xml);
    expect([tests, failures, errors]).toEqual([6, 1, 2]);
    expect(testsuite.map((suite) => [suite.name, suite.tests, suite.failures, suite.errors])).toEqual([
      ["json-validator", 3, 1, 1],
      ["yaml-validator", 3, 0, 1],
    ]);
    const [ofJson, ofYaml] = testsuite.map(({ testcase }) => testcase);
    expect(ofJson).toEqual([
      expect.objectContaining({
        name: "no.json",
        error: [expect.objectContaining({ type: "json-validator/no-match" })],
      }),
      { name: "a.json", classname: "penknife.json-validator" },
      {
        name: "b/c.json",
        classname: "penknife.json-validator",
        failure: [
          {
            message: "Expected a comma (and 1 more)",
            type: "json-validator/syntax",
            inner:
              "b/c.json:2:3: Expected a comma (json-validator/syntax)\nb/c.json:4:1: warning: Twice (json-validator/duplicate-key)",
          },
        ],
      },
    ]);
    expect(ofYaml).toEqual([
      { name: "a.json", classname: "penknife.yaml-validator" },
      {
        name: "d.yaml",
        classname: "penknife.yaml-validator",
        "system-out": ["d.yaml:1:1: warning: Odd (yaml-validator/odd)"],
      },
      expect.objectContaining({
        name: "e.yaml",
        error: [expect.objectContaining({ message: "The deadline has passed" })],
      }),
    ]);
  });

  test("has a case without files, because Jenkins refuses a report without cases", async () => {
    const xml = await report("junit", [], 0);
    validateJunit(xml);
    expect(await readJunit(xml)).toMatchObject({ tests: 1, failures: 0, errors: 0 });
  });

  test("is XML 1.0 whatever a message or a name contains", async () => {
    const files = fc
      .sample(fc.tuple(hostile, hostile), { numRuns: 300, seed: 1 })
      .map(([name, message]) => verdict(`x${name}`, [finding(message)]));
    const xml = await report("junit", files);
    validateJunit(xml);
    const { testsuite } = await readJunit(xml);
    expect(testsuite[0]?.testcase).toHaveLength(300);
  });

  test("the validator of these tests finds faults", async () => {
    const xml = await report("junit", mixed);
    expect(() => validateJunit(xml.replace("<testcase name", "<testcase nome"))).toThrow(/nome/);
    expect(() => validateJunit(xml.replace("Expected", "\u0001"))).toThrow(/invalid character|xmlChar/);
  });
});

describe("checkstyle", () => {
  test("is read by others, with paths, places and severities", async () => {
    const root = makeFolder();
    mkdirSync(join(root, "b"));
    for (const name of ["b/c.json", "d.yaml", "e.yaml", "no.json"]) writeFileSync(join(root, name), "");
    const xml = await report("checkstyle", mixed);
    expect(readCheckstyle(xml, root)).toEqual([
      { file: "no.json", line: 1, column: Number.NaN, severity: "error", message: "No file matches no.json" },
      { file: "b/c.json", line: 2, column: 3, severity: "error", message: "Expected a comma" },
      { file: "b/c.json", line: 4, column: 1, severity: "warning", message: "Twice" },
      { file: "d.yaml", line: 1, column: 1, severity: "warning", message: "Odd" },
      { file: "e.yaml", line: 1, column: Number.NaN, severity: "error", message: "The deadline has passed" },
    ]);
    expect(xml).toContain('source="penknife.json-validator.duplicate-key"');
  });

  test("keeps every message apart from characters that XML cannot represent", async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (message) => {
        const [read, ...more] = readCheckstyle(
          await report("checkstyle", [verdict("a", [finding(message)])]),
          "/",
        );
        expect(more).toEqual([]);
        const kept = (text = "") => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\ufffd\u2400-\u2421]/gu, "");
        expect(kept(read?.message)).toBe(kept(message));
      }),
      { numRuns: 200 },
    );
  });
});

describe("rdjson", () => {
  test("is valid for reviewdog", async () => {
    expect(await validateRdjson(await report("rdjson", mixed))).toEqual([]);
    expect(await validateRdjson(await report("rdjson", []))).toEqual([]);
    const wrong = (await report("rdjson", mixed)).replace('"line": 2', '"line": 0');
    expect(await validateRdjson(wrong)).not.toEqual([]);
  });

  test("counts columns in bytes", async () => {
    const cwd = makeFolder({ "a.json": '{\n"é😀": 1 2}' });
    const { stdout } = await penknife(["check", "json-validator", "--format=rdjson", "a.json"], {
      cwd,
      program,
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { location: unknown }[] };
    // Two code points of two and four bytes.
    expect(diagnostics[0]?.location).toEqual({ path: "a.json", range: { start: { line: 2, column: 13 } } });
  });
});

test("names with bytes that are not UTF-8 are text for every reader", async () => {
  // The stand-in of such a byte; see `lib/file-name.ts`.
  const files = [verdict("\udce9.json", [finding("Odd \ud800", { line: 1, column: 1 })])];
  validateJunit(await report("junit", files));
  expect(await validateRdjson(await report("rdjson", files))).toEqual([]);
  for (const format of ["gitlab", "rdjson", "junit", "checkstyle", "markdown"] as const) {
    const printed = await report(format, files);
    expect(printed).toMatch(/\$.+xe9\.json/);
    expect(printed).not.toMatch(/\\ud[\da-f]{3}|\p{Surrogate}/iu);
  }
});

describe("gitlab", () => {
  const check = async (text: string, name = "a.yaml") => {
    const cwd = makeFolder({ [name]: text });
    const { stdout } = await penknife(["check", "yaml-validator", "--format=gitlab", name], { cwd, program });
    expect(isGitlabReport(stdout)).toBe(true);
    const issues = JSON.parse(stdout) as { fingerprint: string; location: { lines: { begin: number } } }[];
    return issues.map(({ fingerprint, location }) => ({ fingerprint, line: location.lines.begin }));
  };

  test("has the documented form", async () => {
    const printed = await report("gitlab", mixed);
    expect(isGitlabReport(printed)).toBe(true);
    expect(isGitlabReport(printed.replace("major", "bad"))).toBe(false);
    expect(JSON.parse(printed)).toMatchObject([
      { severity: "critical", check_name: "json-validator/no-match" },
      { severity: "major", location: { path: "b/c.json", lines: { begin: 2 } } },
      { severity: "minor", check_name: "json-validator/duplicate-key" },
      { severity: "minor" },
      { severity: "critical", check_name: "yaml-validator/deadline_exceeded" },
    ]);
  });

  test("fingerprints survive lines that shift and text that is indented anew", async () => {
    const text = "a: 1\na: 2\n";
    const [before] = await check(text);
    const [after] = await check(`# new\nb:\n${text.replaceAll(/^/gm, "   ").trimEnd()}\n`);
    expect(before).toMatchObject({ line: 2 });
    expect(after).toEqual({ fingerprint: before?.fingerprint, line: 4 });
  });

  test("fingerprints differ by file, and by text, and for each of several equal lines", async () => {
    const text = "a: 1\na: 1\na: 1\nb: 1\nb: 1\n";
    const found = await check(text);
    const other = await check(text, "b.yaml");
    expect(found.length).toBe(3);
    expect(new Set([...found, ...other].map(({ fingerprint }) => fingerprint)).size).toBe(6);
    // A new finding between known ones leaves them as they were.
    const more = await check(text.replace("b: 1", "c: 1\nc: 1\nb: 1"));
    expect(more.map(({ fingerprint }) => fingerprint)).toEqual(
      expect.arrayContaining(found.map(({ fingerprint }) => fingerprint)),
    );
  });

  test("the finding of a formatter has one fingerprint, wherever it is", async () => {
    const fingerprint = async (text: string) => {
      const cwd = makeFolder({ "a.json": text });
      const { stdout } = await penknife(["check", "json-formatter", "--format=gitlab", "a.json"], {
        cwd,
        program,
      });
      return (JSON.parse(stdout) as { fingerprint: string }[])[0]?.fingerprint;
    };
    expect(await fingerprint('{"a":1}')).toMatch(/^[\da-f]{32}$/);
    expect(await fingerprint('{"a":1}')).toBe(await fingerprint('{\n  "a": 1,"b":2}'));
  });
});

describe("markdown", () => {
  const nodesOf = (node: MarkdownNode): MarkdownNode[] => [node, ...(node.children ?? []).flatMap(nodesOf)];
  const rowsOf = (node: MarkdownNode): string[][] =>
    nodesOf(node)
      .filter(({ type }) => type === "tableRow")
      .map(({ children = [] }) =>
        children.map((cell) =>
          nodesOf(cell)
            .map(({ value = "" }) => value)
            .join(""),
        ),
      );

  test("is a table of the findings, errors first, below the summary", async () => {
    const tree = await readMarkdown(await report("markdown", mixed));
    expect(tree.children?.map(({ type }) => type)).toEqual(["heading", "paragraph", "table"]);
    expect(rowsOf(tree).slice(1)).toEqual([
      ["error", "no.json", "json-validator/no-match", "No file matches no.json"],
      ["error", "b/c.json:2:3", "json-validator/syntax", "Expected a comma"],
      ["error", "e.yaml", "yaml-validator/deadline_exceeded", "The deadline has passed"],
      ["warning", "b/c.json:4:1", "json-validator/duplicate-key", "Twice"],
      ["warning", "d.yaml:1:1", "yaml-validator/odd", "Odd"],
    ]);
    expect(await report("markdown", [verdict("a.json", [])], 0)).toBe(
      "### ✅ penknife check\n\n`1 files checked`\n",
    );
  });

  test("has no link, mention, picture or HTML, whatever a message or a name contains", async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (name, message) => {
        const tree = await readMarkdown(await report("markdown", [verdict(`x${name}`, [finding(message)])]));
        const types = new Set(nodesOf(tree).map(({ type }) => type));
        const allowed = [
          "root",
          "heading",
          "text",
          "paragraph",
          "inlineCode",
          "table",
          "tableRow",
          "tableCell",
        ];
        expect([...types].filter((type) => !allowed.includes(type))).toEqual([]);
        const [, row, ...more] = rowsOf(tree);
        expect(more).toEqual([]);
        expect(row?.length).toBe(4);
        expect(row?.[2]).toBe("json-validator/syntax");
        // All of a message is code.
        const texts = nodesOf(tree).filter(({ type }) => type === "text");
        expect(texts.map(({ value }) => value)).toEqual([
          "❌ penknife check",
          "Severity",
          "Place",
          "Rule",
          "Message",
          "error",
        ]);
      }),
      { numRuns: 300 },
    );
  });

  test("has at most 100 rows of bounded length", async () => {
    const files = Array.from({ length: 150 }, (_, index) =>
      verdict(`${index}.json`, [finding("m".repeat(10_000))]),
    );
    const printed = await report("markdown", files);
    const tree = await readMarkdown(printed);
    expect(rowsOf(tree)).toHaveLength(101);
    expect(printed).toContain("The table leaves out 50 more findings.\n");
    expect(printed.length).toBeLessThan(50_000);
  });
});
