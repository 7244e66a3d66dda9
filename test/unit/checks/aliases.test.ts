import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/open.ts";
import { findRules } from "../../../src/checks/severity.ts";
import { tools } from "../../../src/tools/index.ts";
import { runTool } from "../tools/run-tool.ts";

const catalog = await openCatalog(tools);
const aliased = (await catalog.all()).filter(({ ruleAliases }) => ruleAliases !== undefined);

/** Documents with a finding of each rule that has aliases. */
const documents: Record<string, Record<string, unknown>[]> = {
  "yaml-validator": [
    { data: "b: 1\nb: 2\n" },
    { data: "b: no\na: 1\nc:\n  d:\n     e: 1\n", lint: ["truthy", "key-order", "indent"] },
  ],
  "env-validator": [{ data: "A=1\nA=x y\nA-B=1\nC\n" }],
  "csv-validator": [{ data: "a,b\n1\n" }, { data: 'a\n"b"c\n' }, { data: 'a\n"b\n' }],
};

test("rules that have aliases exist: a document shows each", async () => {
  for (const tool of aliased) {
    const found = new Set<string>();
    for (const input of documents[tool.slug] ?? []) {
      const { errors } = JSON.parse(await runTool(tool, input)) as { errors: { rule: string }[] };
      for (const { rule } of errors) found.add(rule);
    }
    for (const rule of Object.keys(tool.ruleAliases ?? {})) expect([...found], tool.slug).toContain(rule);
  }
});

test("the documentation lists each alias, and each names its rule", () => {
  const text = readFileSync(new URL("../../../docs/check.md", import.meta.url), "utf8");
  for (const tool of aliased)
    for (const [rule, aliases] of Object.entries(tool.ruleAliases ?? {})) {
      expect(text).toContain(`\`${rule}\` (${aliases.map((alias) => `\`${alias}\``).join(", ")})`);
      for (const alias of aliases)
        for (const name of [alias, alias.slice(alias.indexOf("/") + 1)])
          expect(findRules(tool, name), name).toContain(rule);
    }
  expect(aliased.length).toBeGreaterThan(2);
});

test("a name that is a rule is that rule, with the tool or without, and any other name itself", async () => {
  const tool = await catalog.get("yaml-validator");
  expect(findRules(tool, "truthy")).toEqual(["truthy"]);
  expect(findRules(tool, "yaml-validator/truthy")).toEqual(["truthy"]);
  for (const name of ["syntax", "__proto__", "constructor", "toString"])
    expect(findRules(tool, name)).toEqual([name]);
});
