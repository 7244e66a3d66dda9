import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/open.ts";
import { parseInput } from "../../../src/catalog/input.ts";
import { contentKinds, graphqlFiles, kinds } from "../../../src/checks/propose/kinds.ts";
import { dialectOfFile } from "../../../src/lib/json-files.ts";
import { tools } from "../../../src/tools/index.ts";

const catalog = await openCatalog(tools);
const documentation = readFileSync(new URL("../../../docs/check.md", import.meta.url), "utf8");
const present = [...kinds, ...contentKinds].filter(({ tool }) => catalog.has(tool));

test("each kind has a tool with a check mode that takes its options, and a formatter that fixes", async () => {
  for (const { tool: slug, formatter, with: options = {} } of present) {
    const tool = await catalog.get(slug);
    expect(tool.check, slug).not.toBe(undefined);
    parseInput(tool, { ...options, data: "" });
    if (formatter !== undefined) expect((await catalog.get(formatter)).check).toBe("change");
  }
});

test("the documentation names every kind", () => {
  for (const { tool, files } of [
    ...present.slice(0, 9),
    { tool: "graphql-validator", files: graphqlFiles },
  ]) {
    const row = documentation.split("\n").filter((line) => line.startsWith(`| \`${tool}\` |`));
    for (const file of files) {
      const name = file.replace(/^\*\*\//, "").replace(/^\*(?=\.)/, "");
      expect(
        row.some((line) => line.includes(`\`${name}\``) || line.includes(`\`*${name}\``)),
        `${tool} ${name}`,
      ).toBe(true);
    }
  }
});

test.each([
  ["tsconfig.json", "jsonc"],
  ["a/b/tsconfig.base.json", "jsonc"],
  ["jsconfig.json", "jsonc"],
  ["appsettings.Production.json", "jsonc"],
  [".vscode/tasks.json", "jsonc"],
  ["a/.devcontainer/x/devcontainer.json", "jsonc"],
  ["turbo.json", "jsonc"],
  ["a.jsonc", "jsonc"],
  [".babelrc", "json5"],
  ["a.json5", "json5"],
  ["package.json", "json"],
  ["mytsconfig.json", "json"],
  ["vscode/tasks.json", "json"],
  [".vscode/readme.md", "json"],
  ["tsconfig.jsonx", "json"],
  ["aturbo.json", "json"],
])("the program of %s reads it as %s", (path, dialect) => {
  expect(dialectOfFile(path)).toBe(dialect);
});
