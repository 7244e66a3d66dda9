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

/** Bytes in an encoding, often with a line end or another character in it. */
function encodedTo(encoding: "base64" | "base64url" | "hex"): fc.Arbitrary<Buffer> {
  const insert = fc.constantFrom("", "", "\n", "\r\n", "=", "?");
  return fc.tuple(fc.uint8Array({ maxLength: 2000 }), insert, fc.nat()).map(([bytes, inserted, at]) => {
    const text = Buffer.from(bytes).toString(encoding);
    const place = at % (text.length + 1);
    return Buffer.from(text.slice(0, place) + inserted + text.slice(place));
  });
}
const csv = linesOf([
  "a",
  "b",
  "1.5",
  ",",
  ",",
  ",,",
  ";",
  '"',
  '"x""y"',
  '"\n"',
  " ",
  "'",
  "#",
  "é",
  "\n\n\n",
  "\ufeff",
]);
const jsonArrays = fc.oneof(
  fc
    .tuple(fc.json({ maxDepth: 2 }), fc.array(fc.json({ maxDepth: 3 }), { maxLength: 6 }), fc.nat(3))
    .map(([first, items, style]) => {
      const between = [",", ", ", "\r\n,\n", " ,\t"][style] ?? ",";
      return Buffer.from(
        style === 3 && items.length === 0 ? first : ` [${[first, ...items].join(between)} ]\n`,
      );
    }),
  linesOf([
    "[",
    "[",
    "]",
    "{",
    "}",
    ",",
    ",",
    '"a":1',
    '"',
    "\\",
    "1",
    "2.0",
    " ",
    "null",
    '{"a":1,"a":2}',
    "x",
    "//",
    "\ufeff",
  ]).map((text) => Buffer.concat([Buffer.from("["), text])),
);

/** Documents and options that each tool is compared with; options whose run needs the whole document are among them. */
const compared: Readonly<Record<string, readonly [fc.Arbitrary<Buffer>, readonly Options[]]>> = {
  "ansi-stripper": [
    linesOf(["a", "é", "\u001b[31m", "\u001b[2K", "\u001b]8;;x\u0007", "\u001b", "\b", "\u009b1K", "\u0090"]),
    [{}, { render: "true" }],
  ],
  "base64-decoder": [
    fc.oneof(
      encodedTo("base64"),
      encodedTo("base64url"),
      linesOf(["QUJD", "QQ==", "QUI=", "Q", "-_-_", "+/", " ", "=", "!", "\t", "AAAA".repeat(200)]),
      fc
        .constantFrom("data:text/plain;base64,", "data:,", "-----BEGIN A-----\n")
        .map((head) => Buffer.from(`${head}${"QUJD".repeat(500)}\n-----END A-----\n`)),
    ),
    [
      {},
      { outputEncoding: "hex" },
      { outputEncoding: "base64", variant: "url" },
      { strict: "true", variant: "standard", outputEncoding: "hex" },
      { strict: "true", variant: "url", outputEncoding: "base64" },
      { skipInvalid: "true", outputEncoding: "hex" },
      { strict: "true" },
      { charset: "shift_jis" },
    ],
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
  "csv-to-json": [
    fc
      .tuple(fc.constantFrom("", "a,b,c\n", "a\n", "\ufeffa;b\r\n"), csv)
      .map(([head, rest]) => Buffer.concat([Buffer.from(head), rest])),
    [
      {},
      { indent: "0", ragged: "pad" },
      { ragged: "keep", emptyLines: "skip", delimiter: "auto" },
      { ragged: "pad", delimiter: ";", types: "infer", header: "false" },
      { ragged: "pad", delimiter: ",,", trim: "true", duplicateHeaders: "rename", indent: "1" },
      { ragged: "pad", comment: "#", quote: "'", emptyLines: "skip-blank", emptyFields: "null" },
      { ragged: "pad", limit: "2", unflatten: "true", duplicateHeaders: "rename" },
      { ragged: "pad", encoding: "utf-8", trim: "true" },
      { quotes: "lenient" },
      { encoding: "windows-1252" },
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
  "hex-decoder": [
    fc.oneof(
      encodedTo("hex"),
      linesOf([
        "00",
        "0x41",
        "ff",
        "F",
        " ",
        ":",
        ", ",
        "-",
        "\\x",
        "g",
        "é",
        "00000010: 4142",
        "41 42 ".repeat(300),
      ]),
    ),
    [
      { outputEncoding: "hex" },
      { outputEncoding: "base64" },
      { outputEncoding: "hex", strict: "true" },
      { outputEncoding: "hex", separator: "" },
      { separator: ":" },
      { charset: "shift_jis" },
    ],
  ],
  "hex-encoder": [anyBytes, [{}, { separator: ":" }, { separator: ", ", upper: "true" }]],
  "hmac-generator": [anyBytes, [{ key: "k" }, { key: "00", keyEncoding: "hex", algorithm: "md5" }]],
  "html-entity-decoder": [
    linesOf([
      "&",
      "&amp",
      ";",
      "lt",
      "&not",
      "in",
      "=",
      "&#",
      "65",
      "x41",
      "&#128;",
      "é",
      "😀",
      " ",
      "&CounterClockwiseContourIntegral;",
    ]),
    [{}, { context: "attribute" }],
  ],
  "html-entity-encoder": [
    linesOf(["<", "a", "é", "😀", "&", "≂̸", "\u0080"]),
    [{}, { mode: "named" }, { mode: "hex", all: "true" }, { mode: "numeric" }],
  ],
  "json-to-ndjson": [jsonArrays, [{}, { dialect: "jsonc" }]],
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
  "url-decoder": [
    linesOf([
      "%C3%A9",
      "%41",
      "%",
      "4",
      "%u20AC",
      "%uD83D",
      "%uDE00",
      "%F0%9F%98%80",
      "%80",
      "%e2%82",
      "a",
      "+",
      "%2F",
      "é",
      "%zz",
    ]),
    [
      {},
      { mode: "form" },
      { mode: "uri", plusAsSpace: "true" },
      { keepMalformed: "true" },
      { charset: "shift_jis" },
    ],
  ],
  "url-encoder": [
    linesOf(["a", " ", "é", "😀", "!", "~", "/", "\ufeff"]),
    [{}, { mode: "form" }, { mode: "uri" }, { mode: "rfc3986" }],
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
  const { errors } = details;
  return {
    code,
    message: withoutAdvice(message),
    details: {
      ...details,
      ...(errors && { errors: errors.map((place) => ({ ...place, message: withoutAdvice(place.message) })) }),
    },
  };
};

/** An option that accepts a document is found by trying it on all of the document. */
const withoutAdvice = (message: string): string => message.replace(/ To accept it, set .*\.$/, "");

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

/** A whole document is searched for bytes that are not UTF-8 before all else, or after it; in blocks, the first fault is found. */
const isEarlier = (found: Outcome, wanted: Outcome): boolean =>
  "message" in found &&
  "message" in wanted &&
  (wanted.message.includes("bytes are not text in utf-8") ||
    (/not UTF-8/.test(found.message + wanted.message) &&
      (found.details.errors?.[0]?.offset ?? Infinity) < (wanted.details.errors?.[0]?.offset ?? 0)));

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
