import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import type { Command } from "../../../src/surfaces/cli/command.ts";
import { commandsOf } from "../../../src/surfaces/cli/find-command.ts";
import { root } from "../../../src/surfaces/cli/root.ts";
import { toFlag } from "../../../src/lib/shell-words.ts";
import { tools } from "../../../src/tools/index.ts";
import { createTestHost, penknife } from "./host.ts";

const paths = await pathsBelow(root, []);

async function pathsBelow(command: Command, path: readonly string[]): Promise<string[][]> {
  const { host } = createTestHost();
  const below = await Promise.all(
    Object.entries((await commandsOf(command, host)) ?? {}).map(async ([name, load]) =>
      pathsBelow(await load(), [...path, name]),
    ),
  );
  return [[...path], ...below.flat()];
}

const help = async (path: readonly string[], columns: number): Promise<string[]> => {
  const { status, stdout, stderr } = await penknife([...path, "--help"], { columns });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n");
};

test("the commands include every tool twice, in run and check", () => {
  const slugs = Object.values(tools).flatMap((category) => Object.keys(category));
  const below = (command: string) =>
    paths.flatMap(([first, tool]) => (first === command ? (tool ?? []) : []));
  expect(below("run").toSorted()).toEqual(slugs.toSorted());
  expect(below("check").toSorted()).toEqual([...slugs, "init"].toSorted());
  expect(paths.length).toBeGreaterThan(2 * slugs.length + 40);
});

describe.each([
  { columns: 80, width: 80 },
  { columns: 60, width: 60 },
  { columns: 0, width: 80 },
])("on a terminal of $columns columns", ({ columns, width }) => {
  test.each(paths.map((path) => [["penknife", ...path].join(" "), path]))(
    "the help of %s fits",
    async (_, path) => {
      const lines = await help(path, columns);
      expect(lines.filter((line) => line.length > width)).toEqual([]);
      expect(lines.join("\n")).not.toMatch(/Not:|undefined/);
      // A flag with its text beside it: both indented by two spaces, and two spaces or more between them.
      const starts = lines.flatMap((line) => {
        const row = /^( {2}(-.*?) {2,})\S/.exec(line);
        return row === null ? [] : [row[1]?.length];
      });
      expect(new Set(starts).size).toBeLessThanOrEqual(1);
      expect(Math.max(0, ...starts.map(Number))).toBeLessThanOrEqual(30);
    },
  );
});

test("the values of a choice are below its description, with the default beside it", async () => {
  const lines = await help(["run", "base64-decoder"], 80);
  const at = lines.findIndex((line) => line.startsWith("  --output-encoding VALUE  "));
  expect(lines.slice(at, at + 3)).toEqual([
    expect.stringMatching(/^ {2}--output-encoding VALUE {2}\S/),
    expect.stringMatching(/\(default utf8\)$/),
    `${" ".repeat(27)}One of: utf8, hex, base64`,
  ]);
});

test("a terminal that is too narrow for two columns gets descriptions below their flags", async () => {
  const lines = await help(["run", "json-formatter"], 45);
  expect(lines[lines.indexOf("  --no-newline") + 1]).toMatch(/^ {6}\S/);
});

test("breaks an example that is too long at a place where a shell continues the line", async () => {
  const lines = await help(["inbox", "forward"], 80);
  const at = lines.findIndex((line) => line.endsWith(" \\"));
  expect(lines.slice(at, at + 2)).toEqual([
    expect.stringMatching(/^ {2}penknife inbox forward in_\w+ \\$/),
    expect.stringMatching(/^ {4}http:/),
  ]);
});

test("each option that can only be turned off says what happens then", async () => {
  const off = (await createCatalog(tools).all()).flatMap(({ slug, whenOff = {} }) =>
    Object.entries(whenOff).map(([name, text]) => ({ slug, flag: `--no-${toFlag(name)}`, text })),
  );
  expect(off.length).toBeGreaterThanOrEqual(15);
  for (const { slug, flag, text } of off) {
    const page = (await help(["run", slug], 100)).join(" ").replaceAll(/ +/g, " ");
    expect(page).toContain(` ${flag} ${text}`);
  }
});
