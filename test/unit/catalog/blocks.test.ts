import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openBlocks } from "../../../src/catalog/blocks.ts";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { ToolError } from "../../../src/catalog/errors.ts";
import { execute } from "../../../src/catalog/execute.ts";
import { toReportText } from "../../../src/catalog/report.ts";
import type { Tool } from "../../../src/catalog/tool.ts";
import { createLineRun } from "../../../src/tools/line-run.ts";
import { tools } from "../../../src/tools/index.ts";
import { propertyRuns } from "../../support/cases.ts";
import { context } from "../tools/run-tool.ts";

type Options = Record<string, string>;

const all = await createCatalog(tools).all();
const blockTools = all.filter(({ runBlocks }) => runBlocks !== undefined);

const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
/** Texts of lines, each of some of these pieces; now and then a byte that is not UTF-8. */
const linesOf = (pieces: readonly string[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...pieces, "\n", "\n", "\r\n", "\r"), { maxLength: 60 }),
      fc.option(fc.nat(200), { freq: 8 }),
    )
    .map(([words, at]) => {
      const text = Buffer.from(words.join(""));
      return at === null || at > text.length
        ? text
        : Buffer.concat([text.subarray(0, at), Buffer.of(0xff), text.subarray(at)]);
    });
const json = linesOf([
  '{"a":1}',
  '{"é":[1.0,{}]}',
  '{"a":1,"a":2}',
  "[3",
  "1,2",
  " ",
  "\ufeff",
  '"😀"',
  "null",
]);

/** Documents and options that each tool is compared with; options whose run needs the whole document are among them. */
const compared: Readonly<Record<string, readonly [fc.Arbitrary<Buffer>, readonly Options[]]>> = {
  "ansi-stripper": [
    linesOf(["a", "é", "\u001b[31m", "\u001b[2K", "\u001b]8;;x\u0007", "\u001b", "\b", "\u009b1K", "\u0090"]),
    [{}, { render: "true" }],
  ],
  "base64-encoder": [
    anyBytes,
    [
      {},
      { variant: "url" },
      { lineLength: "76" },
      { lineLength: "4", padding: "false" },
      { lineLength: "64" },
    ],
  ],
  "checksum-verifier": [
    anyBytes,
    [
      { expected: "d41d8cd98f00b204e9800998ecf8427e" },
      { expected: `${"0".repeat(64)}  a\n${"0".repeat(40)}  b\n`, name: "b" },
      { expected: "00", algorithm: "sha256" },
    ],
  ],
  "hash-generator": [
    anyBytes,
    [
      {},
      ...["md5", "keccak-256", "blake2b512", "sm3", "sha512-224"].map((algorithm) => ({ algorithm })),
      { algorithm: "shake128" },
      { algorithm: "shake256", outputLength: "3", outputEncoding: "base64url" },
    ],
  ],
  "hex-encoder": [anyBytes, [{}, { separator: ":" }, { separator: ", ", upper: "true" }]],
  "hmac-generator": [anyBytes, [{ key: "k" }, { key: "00", keyEncoding: "hex", algorithm: "md5" }]],
  "line-filter": [
    linesOf(["a", "b", "aa", "é", " ", "x"]),
    [
      { pattern: "a" },
      { pattern: "A", ignoreCase: "true", invert: "true" },
      { pattern: "a*", mode: "glob", lineNumbers: "true" },
      { pattern: "^a+$", mode: "re2", before: "2" },
      { pattern: "é", after: "1", before: "1", lineNumbers: "true" },
      { pattern: "x", count: "true" },
      { pattern: "a", mode: "regex" },
    ],
  ],
  "ndjson-to-json": [
    json,
    [{}, { indent: "0" }, { skipInvalid: "true" }, { skipInvalid: "true", indent: "3" }],
  ],
  "ndjson-validator": [json, [{}, { maxErrors: "1" }, { maxErrors: "3" }]],
  "sri-generator": [anyBytes, [{}, { algorithm: "sha256" }]],
  "text-replacer": [
    linesOf(["a", "b", "ab", "A", "é", "😀"]),
    [
      { find: "a", replace: "xy" },
      { find: "AB", flags: "i" },
      { find: "b", replace: "$&\n", all: "false" },
      { find: "\r", replace: "" },
      { find: "a\n", replace: "" },
      { find: "b$", replace: "", mode: "re2" },
    ],
  ],
  "whitespace-normalizer": [
    linesOf(["a", "\t", " ", "  ", "\ufeff", "\u00a0", "😀"]),
    [
      {},
      { eol: "crlf", tabWidth: "4" },
      { eol: "keep", hardBreaks: "true" },
      { eol: "keep", finalNewline: "false", stripBom: "false" },
      { trimTrailing: "false", plainSpaces: "true" },
      { finalNewline: "false", eol: "crlf" },
    ],
  ],
};

type Outcome = { result: string } | Pick<ToolError, "code" | "message" | "details">;

const seen = (error: unknown): Outcome => {
  if (!(error instanceof ToolError)) throw error;
  const { code, message, details } = error;
  return { code, message, details };
};

const whole = (tool: Tool, bytes: Buffer, options: Options): Promise<Outcome> => {
  const body = {
    kind: "raw" as const,
    bytes,
    text: tool.runBytes === undefined,
    options: Object.entries(options),
  };
  return execute(tool, { body, form: "bytes", check: false }, context).then(
    (answer) => ({ result: Buffer.from(answer.body).toString() }),
    seen,
  );
};

/** Undefined if these options need the whole document. */
async function inBlocks(
  tool: Tool,
  bytes: Buffer,
  options: Options,
  cuts: readonly number[],
): Promise<Outcome | undefined> {
  try {
    const run = await openBlocks(tool, { options: Object.entries(options), check: false }, context);
    if (run === undefined) return undefined;
    const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
    const parts: Buffer[] = [];
    for (const [order, end] of ends.entries())
      for (const part of run.write(bytes.subarray(ends[order - 1] ?? 0, end))) parts.push(Buffer.from(part));
    const rest = run.end();
    const last = typeof rest === "object" && !(rest instanceof Uint8Array) ? toReportText(rest) : rest;
    return { result: Buffer.concat([...parts, Buffer.from(last)]).toString() };
  } catch (error) {
    return seen(error);
  }
}

/** In a whole document, a byte that is not UTF-8 is reported before other faults; in blocks, the first fault is. */
const isEarlier = (found: Outcome, wanted: Outcome): boolean =>
  "message" in found &&
  "message" in wanted &&
  wanted.message.includes("is not UTF-8") &&
  (found.details.errors?.[0]?.offset ?? Infinity) < (wanted.details.errors?.[0]?.offset ?? 0);

test("each tool that runs block by block is compared", () => {
  expect(blockTools.map(({ slug }) => slug).toSorted()).toEqual(Object.keys(compared));
});

describe.each(blockTools)("$slug", (tool) => {
  const [documents, options] = compared[tool.slug] ?? [anyBytes, []];
  test("gives in blocks the result, or the error with its place, of the whole document", async () => {
    expect(options.length).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(
        documents,
        fc.constantFrom(...options),
        fc.array(fc.nat(), { maxLength: 12 }),
        async (bytes, given, cuts) => {
          const found = await inBlocks(tool, bytes, given, cuts);
          const wanted = await whole(tool, bytes, given);
          if (found !== undefined && !isEarlier(found, wanted)) expect(found).toEqual(wanted);
        },
      ),
      { numRuns: propertyRuns(300) },
    );
  });

  test("runs block by block with its defaults", async () => {
    expect(await inBlocks(tool, Buffer.from("1\n"), options[0] ?? {}, [1])).toBeDefined();
  });
});

test.each([
  ["hash-generator", { dataEncoding: "base64" }],
  ["base64-encoder", { dataEncoding: "hex" }],
  ["line-filter", { pattern: "a", mode: "regex" }],
  ["text-replacer", { find: "a", mode: "re2" }],
  ["text-replacer", { find: "a\nb" }],
  ["json-formatter", {}],
])("%s with %j needs the whole document", async (slug, options) => {
  const tool = await createCatalog(tools).get(slug);
  expect(await openBlocks(tool, { options, check: false }, context)).toBeUndefined();
});

test("check mode compares with the whole document, but makes a report block by block", async () => {
  const catalog = createCatalog(tools);
  const open = async (slug: string) =>
    openBlocks(await catalog.get(slug), { options: {}, check: true }, context);
  expect(await open("ansi-stripper")).toBeUndefined();
  expect(await open("ndjson-validator")).toBeDefined();
});

test("a line that is too long is refused with its number and the limit", () => {
  const run = createLineRun("line-filter", { write: (lines) => [lines] }, 10);
  expect([...run.write(Buffer.from("a\nb"))]).toEqual(["a\n"]);
  expect(() => [...run.write(Buffer.from("0123456789"))]).toThrow(
    expect.objectContaining({
      code: "body_too_large",
      message: "Line 2 is longer than 10 bytes, the most that line-filter takes in a line.",
      details: { limit: 10 },
    }),
  );
});

test("a replacement that is much longer than what it replaces does not make a long string", async () => {
  const tool = await createCatalog(tools).get("text-replacer");
  const options = { find: "a", replace: "b".repeat(65_536) };
  const run = await openBlocks(tool, { options, check: false }, context);
  let [units, longest] = [0, 0];
  for (const part of run?.write(Buffer.from("a\n".repeat(4096))) ?? []) {
    units += part.length;
    longest = Math.max(longest, part.length);
  }
  expect(units).toBe(4096 * 65_537);
  expect(longest).toBeLessThan(64 * 1024 * 1024);
});
