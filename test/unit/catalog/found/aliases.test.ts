import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { tools } from "../../../../src/tools/index.ts";
import { isChosen } from "../../../support/cases.ts";
import { runTool } from "../../tools/run-tool.ts";
import { promised } from "./promised.ts";

const catalog = createCatalog(tools);

/** Aliases that name no algorithm, format, language, notation or call of a program. */
const plain = JSON.parse(readFileSync(new URL("plain-names.json", import.meta.url), "utf8")) as Record<
  string,
  string[]
>;

test.each(promised.filter(({ slug }) => isChosen(slug)).map((one) => [one.slug, one.aliases, one] as const))(
  "%s does what is called %s",
  async (slug, _, { input, result }) => {
    const answer = await runTool(await catalog.get(slug), input);
    if (typeof result === "string") expect(answer).toBe(result);
    else expect(answer).toMatch(result);
  },
);

test("each alias is a plain name, or is promised and has a call that does it", async () => {
  const unknown: string[] = [];
  const stale: string[] = [];
  const both: string[] = [];
  for (const { slug, aliases = "" } of await catalog.all()) {
    const names = new Set(aliases.split(", "));
    const kept = new Set(promised.flatMap((one) => (one.slug === slug ? one.aliases.split(", ") : [])));
    const other = new Set(plain[slug]);
    unknown.push(
      ...[...names].filter((name) => !kept.has(name) && !other.has(name)).map((name) => `${slug}: ${name}`),
    );
    stale.push(...[...kept, ...other].filter((name) => !names.has(name)).map((name) => `${slug}: ${name}`));
    both.push(...[...kept].filter((name) => other.has(name)).map((name) => `${slug}: ${name}`));
  }
  // A new alias goes into one of the two lists.
  expect({ unknown, stale, both }).toEqual({ unknown: [], stale: [], both: [] });
});
