import { createRequire } from "node:module";
import { expect, test } from "vitest";
import graphqlFormatter from "../../../../../src/tools/format/graphql-formatter.ts";
import tomlFormatter from "../../../../../src/tools/format/toml-formatter.ts";
import { atHand, readCorpus } from "../../../../unit/corpora/corpus.ts";
import { runTool } from "../../../../unit/tools/run-tool.ts";

const load = createRequire(import.meta.url);
const prettier = load("prettier") as { format(text: string, options: object): Promise<string> };
const toml = load("smol-toml") as { parse(text: string, options?: object): unknown };

test.runIf(atHand)("prettier writes the same of a GraphQL document and of what we make of it", async () => {
  // Unlike it, we leave out the word `query` where a name, variables and directives are missing, and separate all definitions with a line.
  const theirs = async (text: string): Promise<string | undefined> => {
    const formatted = await prettier
      .format(text, { parser: "graphql", printWidth: 80 })
      .catch(() => undefined);
    return formatted?.replaceAll(/^query \{$/gm, "{").replaceAll(/^\n/gm, "");
  };
  let compared = 0;
  for (const { input } of readCorpus("graphql-docs")) {
    const { data } = input as { data?: string };
    if (data === undefined) continue;
    const [before, ours] = [
      await theirs(data),
      await runTool(graphqlFormatter, { data }).catch(() => undefined),
    ];
    if (before === undefined || ours === undefined) continue;
    expect(await theirs(ours), data).toBe(before);
    compared++;
  }
  expect(compared).toBeGreaterThan(100);
});

test.runIf(atHand)("another reader of TOML finds the same values before and after", async () => {
  const read = (text: string): unknown => {
    try {
      return { values: toml.parse(text, { integersAsBigInt: true }) };
    } catch {
      return undefined;
    }
  };
  let compared = 0;
  for (const { input } of readCorpus("toml-test")) {
    const { data } = input as { data?: string };
    const before = data === undefined ? undefined : read(data);
    if (data === undefined || before === undefined) continue;
    const ours = await runTool(tomlFormatter, { data }).catch(() => undefined);
    if (ours === undefined) continue;
    expect(read(ours), data).toEqual(before);
    compared++;
  }
  expect(compared).toBeGreaterThan(100);
});
