import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { tools } from "../../../src/tools/index.ts";
import { isChosen, propertyRuns } from "../../support/cases.ts";
import { runTool } from "../tools/run-tool.ts";

const catalog = createCatalog(tools);
const run = async (slug: string, input: Record<string, unknown>): Promise<string> =>
  runTool(await catalog.get(slug), input);

type Options = Record<string, unknown>;
type Reader = readonly [slug: string, options?: Options];

const json: readonly Reader[] = [["json-validator"], ["json-formatter"], ["json-minifier"]];
const yaml: readonly Reader[] = [
  ["yaml-validator"],
  ["yaml-to-json", { documents: "all", keys: "stringify", tags: "keep" }],
  ["yaml-formatter"],
];
const xml: readonly Reader[] = [["xml-validator"], ["xml-to-json"], ["xml-formatter"]];

/** For each tool that writes a format, the validators, inverses and linters that accept what it writes. */
const writers: Readonly<Record<string, readonly Reader[]>> = {
  "badge-generator": xml,
  "base64-encoder": [["base64-decoder", { outputEncoding: "hex" }]],
  "csv-to-json": json,
  "env-to-json": json,
  "graphql-formatter": [["graphql-formatter"]],
  "hex-encoder": [["hex-decoder", { outputEncoding: "hex" }]],
  "html-entity-encoder": [["html-entity-decoder"]],
  "ip-range-to-cidr": [["ip-range-to-cidr"]],
  "json-canonicalizer": json,
  "json-formatter": json,
  "json-minifier": json,
  "json-patcher": json,
  "json-redactor": json,
  "json-schema-generator": json,
  "json-sorter": json,
  "json-to-csv": [
    ["csv-validator", { delimiter: "auto" }],
    ["csv-to-json", { delimiter: "auto" }],
  ],
  "json-to-env": [["env-validator"], ["env-to-json"]],
  "json-to-ndjson": [["ndjson-validator"], ["ndjson-to-json"]],
  "json-to-query": [["query-to-json"]],
  "json-to-toml": [["toml-validator"], ["toml-to-json"]],
  "json-to-xml": xml,
  "json-to-yaml": yaml,
  "ndjson-to-json": json,
  "query-to-json": json,
  "toml-formatter": [["toml-validator"], ["toml-to-json"], ["toml-formatter"]],
  "toml-to-json": json,
  "ulid-generator": [["timestamp-converter"]],
  "url-encoder": [["url-decoder"]],
  "xml-formatter": xml,
  "xml-to-json": json,
  "yaml-formatter": yaml,
  "yaml-to-json": json,
  "json-unflattener": json,
  "json-merger": json,
  "yaml-merger": yaml,
};

const written = (await catalog.all()).flatMap(({ slug, examples }) =>
  slug in writers && isChosen(slug) ? examples.map((example) => [slug, example] as const) : [],
);

test.each(written)("what %s writes is accepted where it is read: %o", async (slug, { input, result }) => {
  const refused: string[] = [];
  // A fragment of XML is no document, and an empty result holds none.
  const readers = input["fragment"] === true || result === "" ? [] : (writers[slug] ?? []);
  for (const [reader, options = {}] of readers) {
    const { dialect } = input as { dialect?: string };
    const given = { ...options, ...(dialect !== undefined && reader.startsWith("json-") && { dialect }) };
    const answer = await run(reader, { data: result, ...given }).catch(
      (error: unknown) => `refused: ${String(error)}`,
    );
    // Formatters keep the keys that occur twice in their input.
    const isFault = /"valid": false/.test(answer) && !answer.includes('"rule": "duplicate-key"');
    if (answer.startsWith("refused: ") || isFault) refused.push(`${reader}: ${answer}`);
  }
  expect(refused).toEqual([]);
});

const key = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/).filter((name) => name !== "__proto__");
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    "",
    " a ",
    "a\n",
    "a\n\n b\n",
    "# a",
    "- a",
    "null",
    "1e3",
    "0x1",
    "yes",
    "~",
    "a: b",
    "'",
    '"',
    "\\",
    "{{ a }}",
    "2026-01-02",
    "<a>&",
    "\u0085",
    "\u2028",
    "\ufeff",
    "\t",
  ),
);
const scalar = fc.oneof(text, fc.integer(), fc.boolean());
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
})).value;
const object = fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 });
const flat = fc.dictionary(key, text, { minKeys: 1, maxKeys: 4 });

/** Writing and reading again gives the same value, and the validator of the format finds nothing. */
const inverses: readonly [string, fc.Arbitrary<unknown>, string, string, Options?, Options?, string?][] = [
  ["YAML", value, "json-to-yaml", "yaml-to-json", {}, {}, "yaml-validator"],
  ["TOML", object, "json-to-toml", "toml-to-json", {}, {}, "toml-validator"],
  [
    "NDJSON",
    fc.array(value, { minLength: 1, maxLength: 4 }),
    "json-to-ndjson",
    "ndjson-to-json",
    {},
    {},
    "ndjson-validator",
  ],
  ["formatted JSON", value, "json-formatter", "json-minifier", {}, {}, "json-validator"],
  ["sorted JSON", value, "json-sorter", "json-minifier", {}, {}, "json-validator"],
  ["canonical JSON", value, "json-canonicalizer", "json-formatter", {}, {}, "json-validator"],
];

test.each(inverses.filter(([, , write, read]) => isChosen(write) || isChosen(read)))(
  "any value is the same after %s",
  async (_, values, write, read, to = {}, from = {}, validate = "") => {
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const document = await run(write, { data: JSON.stringify(given), ...to });
        expect(JSON.parse(await run(validate, { data: document }))).toEqual({ valid: true, errors: [] });
        expect(JSON.parse(await run(read, { data: document, ...from }))).toEqual(given);
      }),
      { numRuns: propertyRuns(50) },
    );
  },
);

test.each([
  ["json-to-csv", "csv-to-json", "csv-validator", (one: unknown) => [one]],
  ["json-to-env", "env-to-json", "env-validator", (one: unknown) => one],
  ["json-to-query", "query-to-json", "", (one: unknown) => one],
] as const)("any texts are the same after %s and %s", async (write, read, validate, wrap) => {
  await fc.assert(
    fc.asyncProperty(flat, async (one) => {
      const given = wrap(one);
      let document: string;
      try {
        document = await run(write, { data: JSON.stringify(given) });
      } catch {
        // A text that the format cannot hold is refused.
        return;
      }
      expect(JSON.parse(await run(read, { data: document }))).toEqual(given);
      if (validate !== "")
        expect(JSON.parse(await run(validate, { data: document }))).toMatchObject({ valid: true });
    }),
    { numRuns: propertyRuns(50) },
  );
});

const formats = ["json", "json5", "jsonc", "yaml", "toml", "ndjson"] as const;
test.each(formats)("any object that data-converter writes as %s, it reads again", async (to) => {
  await fc.assert(
    fc.asyncProperty(object, async (one) => {
      const given = to === "ndjson" ? [one] : one;
      const document = await run("data-converter", { data: JSON.stringify(given), from: "json", to });
      expect(JSON.parse(await run("data-converter", { data: document, from: to, to: "json" }))).toEqual(
        given,
      );
    }),
    { numRuns: propertyRuns(20) },
  );
});

test.each([
  ["base64-encoder", "base64-decoder", {}],
  ["hex-encoder", "hex-decoder", {}],
  ["url-encoder", "url-decoder", {}],
  ["html-entity-encoder", "html-entity-decoder", {}],
  ...["json", "js", "python", "java"].map(
    (language) => ["string-escaper", "string-unescaper", { language, quotes: true }] as const,
  ),
] as const)("any text is the same after %s and %s %o", async (write, read, options) => {
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      const document = await run(write, { data: given, ...options });
      expect(await run(read, { data: document, ...options })).toBe(given);
    }),
    { numRuns: propertyRuns(50) },
  );
});

test("any difference of JSON is a patch that json-patcher applies", async () => {
  await fc.assert(
    fc.asyncProperty(value, value, async (before, after) => {
      const patch = await run("json-differ", {
        data: JSON.stringify(before),
        other: JSON.stringify(after),
        format: "patch",
      });
      expect(JSON.parse(await run("json-patcher", { data: JSON.stringify(before), patch }))).toEqual(after);
    }),
    { numRuns: propertyRuns(50) },
  );
});

test.each(["md5", "sha1", "sha256", "sha384", "sha512", "sha3-256", "blake2b512", "ripemd160"])(
  "checksum-verifier accepts a digest of %s",
  async (algorithm) => {
    const expected = await run("hash-generator", { data: "abc", algorithm });
    expect(await run("checksum-verifier", { data: "abc", expected, algorithm })).toMatch(/"valid": true/);
  },
);

test.each(["sha256", "sha384", "sha512"])(
  "checksum-verifier accepts an integrity value of %s",
  async (algorithm) => {
    const expected = await run("sri-generator", { data: "abc", algorithm });
    expect(await run("checksum-verifier", { data: "abc", expected })).toMatch(/"valid": true/);
  },
);

test.each([
  ["github", "It's a Secret"],
  ["gitlab", "0123456789abcdef"],
  ["slack", "8f742231b10e8888abcd99yyyzzz85a5"],
  ["stripe", "whsec_abcdefghijklmnop"],
  ["standard-webhooks", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  ["penknife", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
])("webhook-signature-verifier accepts a signature for %s", async (provider, secret) => {
  const call = { data: '{"a":1}', provider, secret, now: "2026-01-02T03:04:05Z" };
  const headers = await run("webhook-signature-generator", { ...call, format: "json" });
  expect(await run("webhook-signature-verifier", { ...call, headers })).toMatch(/"valid": true/);
});

test.each(["HS256", "HS384", "HS512"])(
  "jwt-verifier and jwt-decoder accept a token of %s",
  async (algorithm) => {
    const secret = "0123456789abcdef".repeat(4);
    const token = await run("jwt-generator", { data: '{"sub":"a"}', key: secret, algorithm });
    expect(await run("jwt-verifier", { data: token, key: secret, algorithms: [algorithm] })).toMatch(
      /"valid": true/,
    );
    expect(await run("jwt-decoder", { data: token })).toMatch(/"sub": "a"/);
  },
);

test.each(["1", "6", "7"])("timestamp-converter reads the time of a UUID of version %s", async (version) => {
  const uuid = await run("uuid-generator", { version });
  expect(await run("timestamp-converter", { data: uuid, to: "iso" })).toMatch(/^2026-01-02T03:04:05/);
});

test("what a formatter writes, it does not change again", async () => {
  const changed: string[] = [];
  for (const slug of [
    "json-formatter",
    "xml-formatter",
    "yaml-formatter",
    "sql-formatter",
    "whitespace-normalizer",
  ]) {
    const tool = await catalog.get(slug);
    for (const { input, result } of tool.examples)
      if ((await run(slug, { ...input, data: result })) !== result) changed.push(`${slug}: ${result}`);
  }
  expect(changed).toEqual([]);
});

test.each([
  ["yaml-formatter", 'a: "\\u202E\\u200B"\n'],
  ["json-formatter", '{"a":"\\u202E\\u200B"}'],
  ["json-sorter", '{"a":"\\u202E\\u200B"}'],
])("%s writes nothing that unicode-linter reports, if its input has nothing", async (slug, data) => {
  expect(await run("unicode-linter", { data })).toMatch(/"valid": true/);
  expect(await run("unicode-linter", { data: await run(slug, { data }) })).toMatch(/"valid": true/);
});
