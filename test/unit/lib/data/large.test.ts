import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fromJson } from "../../../../src/lib/data/from-json.ts";
import { toJson } from "../../../../src/lib/data/to-json.ts";
import { flatLength } from "../../../../src/lib/data/to-flat.ts";
import { fromYaml } from "../../../../src/lib/yaml/from-yaml.ts";
import { loadYaml } from "../../../../src/lib/yaml/parse.ts";
import { toYaml } from "../../../../src/lib/yaml/to-yaml.ts";

// Writers write out what they have every so many characters, and both readers and writers remember keys.
const records = Array.from({ length: 2000 }, (_, id) => ({
  id,
  [`key ${id % 1500}`]: "é".repeat(id % 50),
  no: [{ a: "x\ny\n" }, [], {}],
  'quo"te\n': null,
}));
const document = JSON.stringify(records);

test("writes a document of many flush sizes completely", async () => {
  expect(document.length).toBeGreaterThan(5 * flatLength);
  const value = fromJson(document);
  for (const indent of [0, 2])
    expect(toJson(value, indent) === JSON.stringify(records, null, indent)).toBe(true);
  const yaml = toYaml(value, { indent: 2, compat: "yaml1.1", lineWidth: 0 });
  const options = { schema: "core", merge: false, keys: "error" } as const;
  const [read = null] = fromYaml(await loadYaml(), yaml, options);
  expect(toJson(read, 0) === document).toBe(true);
});

test("distinguishes similar keys, including escapes", () => {
  // Few letters, so that lengths and ends are often the same.
  const key = fc.string({ unit: fc.constantFrom(..."aaabbbé\\"), minLength: 1, maxLength: 5 });
  const written = fc.tuple(key, fc.boolean()).map(([text, escaped]): [string, string] => {
    const json = JSON.stringify(text);
    return [text, escaped ? json.replaceAll("a", "\\u0061") : json];
  });
  fc.assert(
    fc.property(fc.array(written, { minLength: 10, maxLength: 30 }), (keys) => {
      const text = `[${keys.map(([, json]) => `{${json}:1}`).join()}]`;
      const value = fromJson(text) as Map<string, unknown>[];
      expect(value.flatMap((map) => [...map.keys()])).toEqual(keys.map(([name]) => name));
    }),
    { numRuns: 600 },
  );
});
