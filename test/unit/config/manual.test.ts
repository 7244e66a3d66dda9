import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "../../../src/config.ts";

const path = new URL("../../../config/penknife.yaml", import.meta.url).pathname;
const text = readFileSync(path, "utf8");
const nothing = { env: {}, readText: () => undefined, slugs: async () => [] };

test("the manual has every option, in the order of the schema, with its default", async () => {
  const { config } = await loadConfig(nothing);
  const manual = parse(text) as typeof config;
  expect(manual).toEqual(config);
  const names = (value: object): string[] =>
    Object.entries(value).flatMap(([section, values]) =>
      Object.keys(values as object).map((name) => `${section}.${name}`),
    );
  expect(names(manual)).toEqual(names(config));
});

test("loading the manual changes only the origins", async () => {
  const bare = await loadConfig(nothing);
  const loaded = await loadConfig({ ...nothing, file: path, readText: () => text });
  expect(loaded.config).toEqual(bare.config);
  expect([...loaded.origins.keys()]).toEqual([...bare.origins.keys()]);
  expect(new Set(loaded.origins.values())).toEqual(new Set([`file ${path}`]));
});

test("each option has a comment that says more than its name", () => {
  const lines = text.split("\n");
  lines.forEach((line, at) => {
    // The two options of a pair share a comment.
    if (!/^  \w+:/.test(line) || line.startsWith("  tlsKey:")) return;
    expect(lines[at - 1], line).toMatch(/^  # .{10}/);
  });
});
