import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { execute } from "../../../src/catalog/execute.ts";
import { tools } from "../../../src/tools/index.ts";
import formatter from "../../../src/tools/json/json-formatter.ts";
import minifier from "../../../src/tools/json/json-minifier.ts";
import validator from "../../../src/tools/json/json-validator.ts";
import generator from "../../../src/tools/jwt/jwt-generator.ts";
import decoder from "../../../src/tools/jwt/jwt-decoder.ts";
import { checkTool, context, refusalOf, runRaw, runTool } from "./run-tool.ts";

const mark = "\ufeff";
const all = await createCatalog(tools).all();
const ofJson = all.filter(({ accepts = "" }) => /JSON(?! Web)/.test(accepts));

/** The fields that hold documents: `data`, and the texts that may be JSON values. */
const documentsOf = (shape: Record<string, { meta?: () => object | undefined }>): string[] =>
  Object.keys(shape).filter(
    (name) => name === "data" || (shape[name]?.meta?.() as { json?: boolean } | undefined)?.json === true,
  );

/** Tools that keep every byte that they do not change, the mark too. */
const keepers: ReadonlySet<string> = new Set(["json-editor", "json-merger"]);

/** A result without what differs: the warning, and the places, which count the mark. */
function comparable(text: string): unknown {
  if (!text.startsWith('{\n  "valid"')) return text;
  const { valid, errors } = JSON.parse(text) as {
    valid: boolean;
    errors: { rule: string; pointer: string }[];
  };
  const others = errors.filter(({ rule }) => rule !== "byte-order-mark");
  return { valid, errors: others.map(({ rule, pointer }) => [rule, pointer]) };
}

test("the catalogue has tools of JSON", () => {
  expect(ofJson.length).toBeGreaterThan(20);
});

describe.each(ofJson.map((tool) => [tool.slug, tool] as const))("%s", (_, tool) => {
  test.each(tool.examples.map(({ input }, at) => [at + 1, input] as const))(
    "example %i has the same result with a byte order mark",
    async (_at, input) => {
      const marked = { ...input };
      for (const name of documentsOf(tool.input.shape as never))
        if (typeof input[name] === "string" && input[name] !== "") marked[name] = `${mark}${input[name]}`;
      const [with_, without] = [await runTool(tool, marked), await runTool(tool, input)];
      const bare = keepers.has(tool.slug) ? with_.replace(mark, "") : with_;
      expect(comparable(bare)).toEqual(comparable(without));
    },
  );
});

const warning = { rule: "byte-order-mark", severity: "warning", line: 1, column: 1, offset: 0 };

test.each(
  ofJson.filter(({ check, slug }) => check === "report" && slug !== "ndjson-validator").map((tool) => [tool]),
)("$slug warns of a byte order mark", async (tool) => {
  const documents: Record<string, string> = {
    "openapi-validator": '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{}}',
    "license-checker": '{"name":"a","license":"MIT"}',
    "compose-validator": '{"services":{"a":{"image":"b:1"}}}',
    "kubernetes-validator": '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}',
  };
  const data = `${mark}${documents[tool.slug] ?? "{}"}`;
  const input = {
    data,
    ...("schema" in tool.input.shape && { schema: "{}" }),
    ...(tool.slug === "config-validator" && { name: "package.json" }),
    ...("policy" in tool.input.shape && { policy: '{"rules":[{"id":"any","expression":"true"}]}' }),
  };
  expect(await checkTool(tool, input)).toMatchObject({ valid: true, errors: [warning] });
});

test.each(
  ["json-formatter", "json-minifier", "json-sorter"].map((slug) => [ofJson.find((one) => one.slug === slug)]),
)("$slug warns of a byte order mark in check mode, and keeps it in files", async (tool) => {
  const check = async (data: string): Promise<{ report: unknown; fixed: string }> => {
    const body = { kind: "input" as const, input: { data } };
    const answer = await execute(tool as never, { body, form: "fix", check: true }, context);
    return { report: answer.report, fixed: Buffer.from(answer.body).toString() };
  };
  expect(await check(`${mark}[]`)).toMatchObject({ report: { valid: true, errors: [warning] }, fixed: "" });
  const { report, fixed } = await check(`${mark}{ }`);
  expect(report).toMatchObject({ valid: false, errors: [warning, { severity: "error" }] });
  expect(fixed).toBe(`${mark}{}`);
});

test("the canonical form has no byte order mark", async () => {
  const tool = ofJson.find(({ slug }) => slug === "json-canonicalizer") as (typeof ofJson)[number];
  expect(await checkTool(tool, { data: `${mark}{}` })).toMatchObject({
    valid: false,
    errors: [warning, { severity: "error", offset: 0 }],
  });
});

test("bytes with a byte order mark are printed without it, and refused at the right place", async () => {
  for (const tool of [formatter, minifier]) {
    expect((await runRaw(tool, Buffer.from(`${mark}[1]`), {})).toString()).not.toContain(mark);
    expect(await refusalOf(runRaw(tool, Buffer.from(`${mark}[1,]`)))).toMatchObject({ offset: 5 });
  }
  const deep = `${mark}${"[".repeat(9000)}${"]".repeat(9000)}`;
  const small = { ...context, maxResultBytes: 1000 };
  const body = { kind: "raw" as const, bytes: Buffer.from(deep), text: false, options: [] };
  const at = (data: Buffer): Promise<number | undefined> =>
    refusalOf(
      execute(formatter, { body: { ...body, bytes: data }, form: "bytes", check: false }, small),
    ).then(({ offset }) => offset);
  expect(await at(Buffer.from(deep))).toBe(((await at(Buffer.from(deep.slice(1)))) as number) + 3);
});

test.each([mark, `${mark}${mark}{}`, `[${mark}1]`, `{}${mark}`])("%j is not JSON", async (data) => {
  expect(JSON.parse(await runTool(validator, { data }))).toMatchObject({ valid: false });
});

test("a token whose claims begin with a byte order mark is refused, and claims to sign lose it", async () => {
  const part = (text: string): string => Buffer.from(text).toString("base64url");
  const token = `${part('{"alg":"none"}')}.${part(`${mark}{}`)}.`;
  expect(await refusalOf(runTool(decoder, { data: token }))).toMatchObject({ code: "invalid_document" });
  const signed = await runTool(generator, {
    data: `${mark}{"sub":"a"}`,
    algorithm: "HS256",
    key: "0123456789abcdef0123456789abcdef",
    now: "2026-01-01T00:00:00Z",
  });
  expect(Buffer.from(signed.split(".")[1] as string, "base64url").toString()).toMatch(/^\{"sub":"a"/);
});
