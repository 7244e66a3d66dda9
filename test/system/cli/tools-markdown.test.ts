import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { peers } from "../../../config/peers.ts";
import { toolPages } from "../../../config/tool-pages.ts";
import { findTools } from "../../../src/catalog/find-tools.ts";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { fieldsOf } from "../../../src/catalog/fields.ts";
import { fromStrings, parseInput } from "../../../src/catalog/input.ts";
import { defineTool } from "../../../src/catalog/tool.ts";
import { checkArguments } from "../../../src/surfaces/cli/arguments.ts";
import { toShellLine } from "../../../src/surfaces/cli/shell-line.ts";
import { repeatableOptions, toolArgs, toOptions } from "../../../src/surfaces/cli/tool-options.ts";
import { renderMarkdown } from "../../../src/surfaces/cli/tools-markdown.ts";
import { tools } from "../../../src/tools/index.ts";
import { penknife } from "./host.ts";

const all = await createCatalog(tools).all();

const pages = await toolPages();

test.each([...pages])("docs/%s is up to date", (path, text) => {
  const kept = readFileSync(new URL(`../../../docs/${path}`, import.meta.url), "utf8");
  expect(text === kept || firstDifference(kept, text), `docs/${path} is out of date: run make docs`).toBe(
    true,
  );
});

test("no page is left of a category that is gone", () => {
  const kept = readdirSync(new URL("../../../docs/tools", import.meta.url));
  expect(new Set(kept.map((name) => `tools/${name}`))).toEqual(
    new Set([...pages.keys()].filter((path) => path.startsWith("tools/"))),
  );
});

test("the command prints every tool in one page", async () => {
  const { status, stdout } = await penknife(["tools", "--markdown"]);
  expect(status).toBe(0);
  for (const [path, text] of pages)
    if (path.startsWith("tools/")) expect(stdout).toContain(text.slice(text.indexOf("### ")).trimEnd());
});

test("names of other programs lead to tools, and the search finds 95 % of them", () => {
  const names = Object.values(peers).flat();
  expect(names.length).toBeGreaterThan(120);
  expect(names.filter(([, slug]) => !all.some((tool) => tool.slug === slug))).toEqual([]);
  const missed = names.filter(
    ([name, slug]) =>
      !findTools(all, name)
        .slice(0, 5)
        .some((tool) => tool.slug === slug),
  );
  expect(missed.length / names.length).toBeLessThanOrEqual(0.05);
});

test("cannot be combined with a tool or JSON", async () => {
  for (const more of ["--json", "json-formatter"]) {
    const refused = await penknife(["tools", "--markdown", more]);
    expect(refused).toMatchObject({ status: 2, stdout: "" });
  }
});

test("has a heading, a row for each field and a call for each example of each tool", () => {
  const lines = renderMarkdown(all).split("\n");
  for (const tool of all) {
    const start = lines.indexOf(`### ${tool.slug}`);
    expect(start, tool.slug).toBeGreaterThan(0);
    const end = lines.findIndex((line, index) => index > start && /^##+ [a-z\d-]+$/.test(line));
    const section = lines.slice(start, end === -1 ? undefined : end);
    for (const { name } of fieldsOf(tool.input))
      expect(section.filter((line) => line.startsWith(`| \`${name}\` |`))).toHaveLength(1);
    expect(section.filter((line) => line === `POST /api/tools/${tool.slug}`)).toHaveLength(
      tool.examples.length,
    );
  }
});

test("contains no invisible characters", () => {
  expect(renderMarkdown(all)).not.toMatch(/(?!\n|\t)[\p{Cc}\p{Cf}\u2028\u2029]/u);
});

const hostile = defineTool({
  slug: "hostile-tester",
  title: "Hostile tester",
  summary: "Show `a|b` and <b>.",
  input: z.object({
    data: z.string().describe("One of a|b, *c* or _d_"),
    names: z.array(z.string()).max(9).default([]).describe("Some names"),
    loud: z.boolean().default(true).describe("Not quiet"),
    level: z.int().min(-5).max(5).default(0).describe("How much"),
  }),
  examples: [
    { input: { data: "it's ```\n" }, result: "````" },
    {
      title: "Escapes",
      input: {
        data: "\u001b[1m\\033 \u202e\0'x'\n\n",
        names: ["", "-a", "a b", "$(x) `y`", "\u0007'"],
        loud: false,
      },
      result: "\u001b",
    },
    { title: "Below nought", input: { data: "", level: -5, names: ["--json", "é"] }, result: "" },
  ],
  run: ({ data }) => data,
});

test("text of a definition cannot break the page", () => {
  const page = renderMarkdown([{ ...hostile, category: "test" }]);
  expect(page).toContain(String.raw`Show \`a\|b\` and \<b\>.`);
  expect(page).toContain(String.raw`One of a\|b, \*c\* or \_d\_ |`);
  expect(page).toContain("`````text\n````\n`````");
  expect(page).toContain('{"result":"\\u001b"}');
  expect(page).toContain("| integer, -5 to 5 | `0` | `--level` |");
});

describe("the shell lines", () => {
  const calls = [hostile, ...all].flatMap((tool) => tool.examples.map(({ input }) => ({ tool, input })));
  const lines = calls.map(({ tool, input }) => toShellLine(tool, input));

  test("give each tool the input of its example", () => {
    const mark = "<--8<-->";
    const written = calls.flatMap((call, index) => {
      const line = lines[index];
      return line === undefined ? [] : [{ ...call, line }];
    });
    const stub = `penknife() { printf '%s\\0' "$@"; printf '${mark}'; cat; printf '${mark}'; }`;
    // A line without a document must not consume the script on standard input.
    const script = written.map(({ line }) => (line.startsWith("penknife") ? `</dev/null ${line}` : line));
    const out = execFileSync("sh", ["-s"], {
      input: [stub, ...script, ""].join("\n"),
      encoding: "utf8",
      maxBuffer: 64 * 1_048_576,
    });
    const seen = out.split(mark);
    expect(seen).toHaveLength(2 * written.length + 1);
    for (const [index, { tool, input }] of written.entries()) {
      const argv = seen[2 * index]?.split("\0").slice(0, -1) ?? [];
      const stdin = seen[2 * index + 1];
      expect(argv.slice(0, 2)).toEqual(["run", tool.slug]);
      const { raw } = checkArguments(argv.slice(2), {
        args: toolArgs(tool),
        many: false,
        repeatable: repeatableOptions(tool),
        path: tool.slug,
      });
      const options = fromStrings(tool, toOptions(tool, raw));
      const given = "data" in tool.input.shape ? { ...options, data: stdin } : options;
      expect(parseInput(tool, given), tool.slug).toEqual(parseInput(tool, input));
    }
  });

  test("are missing only if a shell cannot express the input", () => {
    for (const [index, { tool, input }] of calls.entries()) {
      const texts = Object.values(input).flat().map(String);
      const awkward = texts.some((text) => !text.isWellFormed() || /\0|\n$/.test(text));
      if (lines[index] === undefined) expect(awkward, tool.slug).toBe(true);
    }
    expect(toShellLine(hostile, { data: "", names: ["\r\n"] })).toBeUndefined();
    expect(toShellLine(hostile, { data: "", names: ["\0"] })).toBeUndefined();
    expect(toShellLine(hostile, { data: "\ud800" })).toBeUndefined();
  });
});

/** Shortens a text for a report. */
function firstDifference(before: string, after: string): string {
  const known = before.split("\n");
  const index = after.split("\n").findIndex((line, at) => line !== known[at]);
  return `line ${index + 1}: ${known[index]} → ${after.split("\n")[index]}`;
}
