import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findIgnoreComments } from "../../../src/checks/ignore-comments.ts";
import { formats } from "../../../src/surfaces/cli/check/formats/format.ts";
import { makeFolder, penknife, shareWorkers } from "../cli/host.ts";

const program = shareWorkers();
const document = readFileSync(new URL("../../../docs/check.md", import.meta.url), "utf8");

/** The text below a heading, up to the next one. */
const below = (heading: string): string =>
  document.split(/^#{2,3} (?=\w)/m).find((section) => section.startsWith(`${heading}\n`)) ??
  expect.unreachable(heading);

/** The first block of code in a text. */
const blockOf = (text: string): string =>
  /^```\w+\n([^]*?)^```$/m.exec(text)?.[1] ?? expect.unreachable(text);

const folder = (): string => makeFolder({ "a.json": "{}", "b.json": "[1 2]" });

describe("docs/check.md", () => {
  test("lists every format, and describes each", () => {
    const listed = [...below("Formats").matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(formats.toSorted());
    for (const format of formats) expect(below(format).length).toBeGreaterThan(30);
  });

  test.each([
    ["json", ["b.json"]],
    ["github", ["b.json"]],
    ["gitlab", ["b.json"]],
    ["junit", ["a.json", "b.json"]],
    ["checkstyle", ["b.json"]],
    ["rdjson", ["b.json"]],
    ["markdown", ["a.json", "b.json"]],
  ])("shows what --format %s prints", async (format, names) => {
    const words = ["check", "json-validator", `--format=${format}`, ...names];
    const { stdout } = await penknife(words, { cwd: folder(), program });
    expect(blockOf(below(format))).toBe(stdout);
  });

  test("shows the line of a baseline, with the fingerprint of gitlab", async () => {
    const words = ["check", "json-validator", "*.json", "--baseline=known", "--write-baseline"];
    const cwd = folder();
    await penknife(words, { cwd, program });
    const written = readFileSync(`${cwd}/known`, "utf8");
    expect(below("A baseline")).toContain(`\`\`\`json\n${written}\`\`\`\n`);
  });

  test("shows comments that ignore both findings", async () => {
    const cwd = makeFolder({ "a.yaml": blockOf(below("Comments")) });
    expect(await penknife(["check", "yaml-validator", "a.yaml"], { cwd, program })).toMatchObject({
      status: 0,
      stderr: "1 file checked, no findings; 2 ignored by comments\n",
    });
  });

  test.each([
    ["a.toml", "# "],
    [".env", "# "],
    ["a.tf", "# "],
    ["a.json", "// "],
    ["a.json", "/* "],
    ["a.sql", "-- "],
    ["a.svg", "<!-- "],
    ["a.md", "<!-- "],
    ["a.properties", "! "],
    ["a.conf", "; "],
    [".dockerignore", "# "],
    ["a.rs", "// "],
  ])("says how %s has comments: %s", (name, mark) => {
    expect(findIgnoreComments(name, `${mark}penknife-ignore a/b why`)).toHaveLength(1);
    expect(below("Comments")).toContain(`\`${mark.trim()}`);
  });
});
