import { describe, expect, it } from "vitest";
import type { ZodType } from "zod";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { detect } from "../../../../src/lib/detect/detect.ts";
import { kinds } from "../../../../src/lib/detect/kinds.ts";
import { neutral, remedies } from "../../../../src/tools/attempt-detected.ts";
import { requiredFields, toolsOfKinds } from "../../../../src/tools/detected-tools.ts";
import { tools } from "../../../../src/tools/index.ts";
import detector from "../../../../src/tools/text/input-detector.ts";
import { rankTools, type RankedTool } from "../../../../src/tools/rank-detected.ts";
import { detectionInputs } from "../../../bench/detection-documents.ts";
import { startCost } from "../../../cost/start-cost.ts";
import { readLabelled } from "../labelled-inputs.ts";
import { context, runRaw, runTool } from "../run-tool.ts";

const labelled = readLabelled("inputs.json");
const catalog = createCatalog(tools);

const accepts = (schema: unknown, value: unknown): boolean => (schema as ZodType).safeParse(value).success;
/** Returns the options that a tool does not have, or not with these values. */
async function refusedOptions(slug: string, options: Readonly<Record<string, unknown>>): Promise<string[]> {
  const { shape } = (await catalog.get(slug)).input;
  return Object.entries(options)
    .filter(([name, value]) => !(name in shape && accepts(shape[name], value)))
    .map(([name, value]) => `${slug}.${name}: ${String(value)}`);
}
const rank = (text: string): Promise<RankedTool[]> => rankTools(Buffer.from(text), 10);
const pathOf = ({ steps }: RankedTool): string => steps.map(({ tool }) => tool).join(" > ");

describe("the tools of each kind", () => {
  it("exist, with the fields and options that they are called with", async () => {
    const wrong: string[] = [];
    for (const { tool, field, with: options, after = [] } of Object.values(toolsOfKinds).flat()) {
      const { shape } = (await catalog.get(tool)).input;
      if (field === null ? "data" in shape : !(field in shape)) wrong.push(`${tool}.${field}`);
      wrong.push(...(await refusedOptions(tool, options)));
      for (const step of after) wrong.push(...(await refusedOptions(step.tool, step.with)));
    }
    expect(wrong).toEqual([]);
  });

  it("take the options of every further attempt", async () => {
    const wrong: string[] = [];
    for (const table of [neutral, remedies]) {
      for (const [tool, attempts] of Object.entries(table))
        for (const options of [attempts].flat()) wrong.push(...(await refusedOptions(tool, options)));
    }
    expect(wrong).toEqual([]);
  });

  it("take the options that detection finds in inputs", async () => {
    const wrong: string[] = [];
    const found = new Set<string>();
    for (const { input = "" } of labelled) {
      for (const { kind, options } of (await detect(Buffer.from(input))).guesses) {
        const [use] = toolsOfKinds[kind];
        if (use === undefined || options === undefined) continue;
        wrong.push(...(await refusedOptions(use.tool, options)));
        for (const name of Object.keys(options)) found.add(`${use.tool}.${name}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(found.size).toBeGreaterThan(4);
  });

  it("have the required fields that their schemas have", async () => {
    const required = (await catalog.all()).flatMap(({ slug, input: { shape } }) => {
      const names = Object.keys(shape).filter((name) => name !== "data" && !accepts(shape[name], undefined));
      return names.length > 0 ? [[slug, names] as const] : [];
    });
    expect(requiredFields).toEqual(Object.fromEntries(required));
  });

  it("include every tool but this one", () => {
    const named = new Set(Object.values(toolsOfKinds).flatMap((uses) => uses.map(({ tool }) => tool)));
    expect(catalog.slugs.filter((slug) => !named.has(slug))).toEqual(["input-detector"]);
    expect(Object.keys(toolsOfKinds)).toEqual(Object.keys(kinds));
  });
});

describe("the cost", () => {
  // Three times the 100 ms that the bench measures on an idle core: the unit is some 10 ms there, and a cost that grows faster than its
  // input is far above.
  const most = 30;

  it.each([...detectionInputs()])("of a mebibyte of %s is bounded", async (_, input) => {
    // The first run of a kind loads libraries and compiles.
    await rankTools(input.subarray(0, 100_000), 10);
    const cost = startCost();
    await rankTools(input, 10);
    expect(cost()).toBeLessThan(most);
  });
});

describe("input-detector", () => {
  it.each([
    ["eyJ1c2VyIjoiamFuZSIsInJvbGVzIjpbImFkbWluIl19", "base64-decoder > json-formatter"],
    ["LS0tCm5hbWU6IHdlYgpwb3J0czoKICAtIDgwCiAgLSA0NDMK", "base64-decoder > yaml-formatter"],
    ["7b226f6b223a747275652c226e223a5b312c325d7d", "hex-decoder > json-formatter"],
    ["%7B%22a%22%3A%5B1%2C2%5D%7D", "url-decoder > json-formatter"],
    ['"{\\"level\\":\\"info\\",\\"n\\":1}"', "string-unescaper > json-formatter"],
    ["&lt;x&gt;&lt;y&gt;1&lt;/y&gt;&lt;/x&gt;", "html-entity-decoder > xml-formatter"],
  ])("finds the second step of %s", async (text, path) => {
    expect((await rank(text)).slice(0, 3).map(pathOf)).toContain(path);
  });

  it.each([
    ["{ a {} }", "graphql-validator", "There is no field between these braces."],
    ["query A {}", "graphql-validator", "There is no field between these braces."],
    ["json.a.b = 1;", "json-unflattener", "as gron writes them"],
    [
      'json = {};\njson.users = [];\njson.users[0]["full name"] = "a = b; c";',
      "json-unflattener",
      "as gron writes them",
    ],
    ["json[3] = null;\n--\njson[7].a = {};\n", "json-unflattener", "as gron writes them"],
    ["json.a.b = 1", "toml-to-json", "It is valid TOML."],
    ["<schema xmlns='http://www.w3.org/2001/XMLSchema'/>", "xml-validator", "It is a schema in XSD."],
    ['<?x?><x:schema a="1" xmlns:x="http://www.w3.org/2001/XMLSchema"/>', "xml-validator", "in XSD"],
    ['<element name="a" xmlns="http://relaxng.org/ns/structure/1.0"/>', "xml-validator", "in RELAX NG"],
    ['<x:schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:x="urn:x"/>', "xml-formatter", "well-formed"],
    ['<schema xmlns:x="http://www.w3.org/2001/XMLSchema"/>', "xml-formatter", "well-formed"],
  ])("offers for %s first %s, and says why", async (text, tool, reason) => {
    const [first] = await rank(text);
    expect(first).toMatchObject({ tool, reason: expect.stringContaining(reason) });
  });

  it("offers a schema as that of xml-validator, unless it is refused", async () => {
    const open = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">';
    const offered = async (content: string) => {
      const ranked = await rankTools(Buffer.from(`${open}${content}</xs:schema>`), 10, context.call);
      return ranked.map(({ tool, field, needs }) => ({ tool, field, needs }));
    };
    const asSchema = { tool: "xml-validator", field: "schema", needs: ["data"] };
    expect(await offered('<xs:element name="a"/>')).toContainEqual(asSchema);
    expect(await offered('<xs:include schemaLocation="b.xsd"/>')).not.toContainEqual(asSchema);
    expect(await offered('<xs:include schemaLocation="b.xsd"/>')).toContainEqual({
      tool: "xml-query",
      field: "data",
      needs: ["query"],
    });
  });

  it("finds it in a long input, decoding only the beginning", async () => {
    const json = JSON.stringify(Array.from({ length: 30_000 }, (_, id) => ({ id, name: `Zoë ${id}` })));
    expect((await rank(Buffer.from(json).toString("base64"))).slice(0, 3).map(pathOf)).toContain(
      "base64-decoder > json-formatter",
    );
  });

  it("gives the place of a token within other text", async () => {
    const token = "eyJhbGciOiJub25lIn0.eyJpZCI6MX0.";
    const [first] = await rank(`# Ä\ncurl -H 'Authorization: Bearer ${token}' https://example.com`);
    expect(first).toMatchObject({
      tool: "jwt-decoder",
      part: { line: 2, column: 32, offset: 36, length: token.length },
    });
  });

  it("takes bytes in a raw body and in JSON alike", async () => {
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB";
    const inJson = await runTool(detector, { data: png, dataEncoding: "base64", limit: 1 });
    expect(inJson).toBe((await runRaw(detector, Buffer.from(png, "base64"), { limit: "1" })).toString());
    expect(JSON.parse(inJson)).toMatchObject({ items: [{ tool: "base64-encoder", kind: "picture" }] });
  });

  it.each(["", "  \n", "\ufeff"])("lists nothing for %j", async (data) => {
    expect(await runTool(detector, { data })).toBe('{\n  "items": []\n}');
  });
});
