import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { tools } from "../../../src/tools/index.ts";

const architecture = readFileSync(new URL("../../../ARCHITECTURE.md", import.meta.url), "utf8");
const section = /## Where a tool runs\n(.*?)\n## /s.exec(architecture)?.[1] ?? "";

/** The slugs that the table lists for a place. */
const named = (place: string): string[] =>
  [...section.matchAll(/^\| (\w+) \| ([^|]+) \|/gm)]
    .filter(([, first]) => first === place)
    .flatMap(([, , slugs = ""]) => [...slugs.matchAll(/`([a-z0-9-]+)`/g)].map(([, slug = ""]) => slug))
    .toSorted();

describe("where a tool runs", () => {
  test.each(["thread", "process"])("ARCHITECTURE.md names every tool that runs in a %s", async (place) => {
    const catalog = createCatalog(tools);
    const defined = await Promise.all(catalog.slugs.map((slug) => catalog.get(slug)));
    const isolated = defined.filter(({ isolate }) => isolate === place).map(({ slug }) => slug);
    expect(named(place)).toEqual(isolated.toSorted());
  });
});
