import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ToolError } from "../../../../src/catalog/errors.ts";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { tools } from "../../../../src/tools/index.ts";
import { rankTools, type RankedTool } from "../../../../src/tools/rank-detected.ts";
import { atHand, corpora } from "../../corpora/corpus.ts";
import { readReports } from "../../corpora/reports.ts";
import { context } from "../run-tool.ts";

const catalog = createCatalog(tools);
const call = context.call as NonNullable<typeof context.call>;
const rank = (input: Uint8Array | string): Promise<RankedTool[]> => rankTools(Buffer.from(input), 10, call);
const pathsOf = (ranked: readonly RankedTool[]): string[] =>
  ranked.map(({ steps }) => steps.map(({ tool }) => tool).join(" > "));

/** Runs the steps of an entry as a pipeline, and returns why one refuses. */
async function refusalOf(input: Uint8Array, { field, part, steps }: RankedTool): Promise<string | undefined> {
  let data =
    part === null ? Buffer.from(input) : Buffer.from(input).subarray(part.offset, part.offset + part.length);
  try {
    for (const [index, step] of steps.entries()) {
      const given = index === 0 && field !== "data" && field !== null;
      const result = given
        ? await call(step.tool, undefined, { ...step.with, [field]: data.toString() })
        : await call(step.tool, data, { ...step.with });
      data = Buffer.from(result);
    }
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

/** Runs every step that is offered for the inputs and needs nothing else. */
async function runSteps(
  inputs: readonly (readonly [string, string])[],
): Promise<{ refused: string[]; steps: number }> {
  const refused: string[] = [];
  let steps = 0;
  for (const [name, text] of inputs) {
    const input = Buffer.from(text);
    for (const entry of await rank(input)) {
      if (entry.field === null || entry.needs.length > 0) continue;
      steps++;
      const refusal = await refusalOf(input, entry);
      if (refusal !== undefined) refused.push(`${name}: ${pathsOf([entry])[0]}: ${refusal}`);
    }
  }
  return { refused, steps };
}

test("every step that is offered for the documents of the examples runs", async () => {
  const examples = (await catalog.all()).flatMap(({ slug, examples: list }) =>
    list.flatMap(({ input: { data } }) => (typeof data === "string" ? [[slug, data] as const] : [])),
  );
  const { refused, steps } = await runSteps(examples);
  expect(refused).toEqual([]);
  expect(steps).toBeGreaterThan(900);
});

test("every step that is offered for the labelled inputs runs", async () => {
  const labelled = ["inputs.json", "second/inputs.json"].flatMap(
    (file) =>
      JSON.parse(readFileSync(new URL(`../../catalog/found/${file}`, import.meta.url), "utf8")) as {
        name: string;
        input?: string;
      }[],
  );
  const { refused, steps } = await runSteps(labelled.map(({ name, input = "" }) => [name, input] as const));
  expect(refused).toEqual([]);
  expect(steps).toBeGreaterThan(2500);
});

test.skipIf(!atHand)("every step that is offered for the inputs of 578 reported calls runs", async () => {
  const inputs = readReports().map(
    ({ id, input = "" }) => [id, Array.isArray(input) ? input.join("") : input] as const,
  );
  const { refused, steps } = await runSteps(inputs);
  expect(refused).toEqual([]);
  expect(steps).toBeGreaterThan(3000);
});

test.skipIf(!atHand)(
  "every step that is offered for files of repositories runs",
  async () => {
    const files = readFileSync(new URL("real-files.jsonl", corpora), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; text: string })
      .filter(({ text }) => text.length <= 16_384);
    const { refused, steps } = await runSteps(files.map(({ id, text }) => [id, text] as const));
    expect(refused).toEqual([]);
    expect(steps).toBeGreaterThan(500);
  },
  120_000,
);

test.each([
  ["Mon..Fri *-*-* 08..18:00/15", "cron-parser", { dialect: "systemd" }],
  ["id;name;price\n1;Ann;1,50\n2;Bob;2,75\n", "csv-to-json", { delimiter: "auto" }],
  [
    "git.example.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f",
    "ssh-key-parser",
    {},
  ],
  ["Wed Oct 21 2015 07:28:00 GMT+0000 (Coordinated Universal Time)", "timestamp-converter", {}],
  ["2026-01-02 03:04:05.678 +0100 CET m=+0.001", "timestamp-converter", {}],
  ["2025-03-10 14:00 America/New_York", "timezone-converter", { from: "America/New_York" }],
  ["select a::int from t where id = $1", "sql-formatter", { dialect: "postgresql" }],
  ["Resources:\n  A: !Ref B\n", "yaml-to-json", { tags: "keep" }],
  ["A=1\nA=2\nB=3\n", "env-to-json", { duplicateKeys: "last" }],
  ["$.store.book[?(@.price<10)].title", "json-query", { language: "jsonpath" }],
  ["xn--bcher-kva.example", "text-replacer > url-parser", {}],
  ["/a/b?x=1&y=2", "url-parser", { base: "http://localhost" }],
  ["10.0.0.0/24, 10.0.1.0/24, 10.0.2.0/23", "text-replacer > ip-range-to-cidr", {}],
])("%j is offered %s with the options that it needs", async (text, path, options) => {
  const ranked = await rank(text);
  expect(pathsOf(ranked)).toContain(path);
  expect(ranked[pathsOf(ranked).indexOf(path)]?.steps.at(-1)?.with).toEqual(options);
});

test.each([
  ["f81d4fae-7dec-41d0-a765-00a0c91e6bf6", "timestamp-converter"],
  ["#ff8800", "number-base-converter"],
  ["4111 1111 1111 1111", "byte-size-converter"],
  ["4111 1111 1111 1111", "timestamp-converter"],
  ["port: 80\nhost: x\nport: 8080\n", "yaml-formatter"],
])("%j is not offered %s, which refuses it", async (text, path) => {
  expect(pathsOf(await rank(text))).not.toContain(path);
  expect(await rank(text)).not.toEqual([]);
});

test("of a long list of lines the first are tried, and another long document is offered as it is", async () => {
  const csv = `id;name\n${Array.from({ length: 3000 }, (_, id) => `${id};Ann ${id}\n`).join("")}`;
  expect(csv.length).toBeGreaterThan(16_384);
  const paths = pathsOf(await rank(csv));
  expect(paths).toContain("csv-to-json");
  expect(paths).not.toContain("data-converter");
  const json = JSON.stringify(Array.from({ length: 3000 }, (_, id) => ({ id })));
  expect(pathsOf(await rank(json))[0]).toBe("json-to-csv");
});

test("a tool that does not run here is offered as it is", async () => {
  const unknown = (slug: string): Promise<never> => Promise.reject(new ToolError("unknown_tool", slug));
  expect(pathsOf(await rankTools(Buffer.from('{"a":1}'), 1, unknown))).toEqual(["json-formatter"]);
});

test("a fault of this program in a tool is not taken for a refusal", async () => {
  const broken = (): Promise<never> => Promise.reject(new TypeError("broken"));
  await expect(rankTools(Buffer.from('{"a":1}'), 1, broken)).rejects.toThrow("broken");
});
