import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFaults, toProblems } from "../../../../src/lib/json/faults.ts";
import { firstJsonError } from "../../../../src/lib/json/first-error.ts";
import { formatJson, formatJsonText, minifyJsonText } from "../../../../src/lib/json/format.ts";
import { DocumentFault } from "../../../../src/lib/fault.ts";
import { validateJson } from "../../../../src/lib/json/validate.ts";
import { anyCharacter } from "../../../support/any-character.ts";

const indent = fc.integer({ min: 0, max: 10 });
const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 20 });
const number = fc.stringMatching(/^-?(0|[1-9]\d{0,40})(\.\d{1,40})?([eE][+-]?\d{1,20})?$/);
const string = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text).slice(1, -1)),
      fc.stringMatching(/^(\\(["\\/bfnrt]|u[0-9a-fA-F]{4})){0,8}$/),
    ),
  )
  .map((parts) => `"${parts.join("")}"`);

/** Documents as text, with numbers, escapes, white space and duplicates that no parser would write. */
const { value: document } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    fc
      .tuple(space, fc.oneof(number, string, fc.constantFrom("true", "false", "null")), space)
      .map((parts) => parts.join("")),
    tie("list"),
    tie("object"),
  ),
  list: fc
    .tuple(space, fc.array(tie("value"), { maxLength: 5 }))
    .map(([pad, items]) => `${pad}[${items.join(",") || pad}]${pad}`),
  object: fc
    .tuple(space, fc.array(fc.tuple(string, tie("value")), { maxLength: 5 }))
    .map(
      ([pad, members]) =>
        `{${members.map(([key, value]) => `${pad}${key}${pad}:${value}`).join(",") || pad}}`,
    ),
}));

/** A document, and a position and text to insert or delete. */
const mutation = fc.tuple(
  document,
  fc.array(
    fc.tuple(
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.oneof(fc.constantFrom(..."{}[]:,\"\\0-.eu tn'/"), fc.integer({ min: 0, max: 255 })),
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
);

describe("properties", () => {
  it("format after minify is format", () => {
    fc.assert(
      fc.property(document, indent, (text, spaces) => {
        expect(formatJsonText(minifyJsonText(text), { indent: spaces })).toBe(
          formatJsonText(text, { indent: spaces }),
        );
      }),
    );
  });

  it("minify after format is minify, and formatting twice changes nothing", () => {
    fc.assert(
      fc.property(document, indent, (text, spaces) => {
        const formatted = formatJsonText(text, { indent: spaces });
        expect(minifyJsonText(formatted)).toBe(minifyJsonText(text));
        expect(formatJsonText(formatted, { indent: spaces })).toBe(formatted);
      }),
    );
  });

  it("formatting keeps the value", () => {
    fc.assert(
      fc.property(document, indent, (text, spaces) => {
        expect(JSON.parse(formatJsonText(text, { indent: spaces }))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("formatting the output of JSON.stringify gives the layout of JSON.stringify", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), indent, (value, spaces) => {
        const text = JSON.stringify(value, null, "\t");
        expect(formatJsonText(text, { indent: spaces })).toBe(JSON.stringify(value, null, spaces));
      }),
    );
  });

  it("strings and bytes give the same result", () => {
    fc.assert(
      fc.property(fc.oneof(document, fc.string({ unit: anyCharacter })), indent, (text, spaces) => {
        const bytes = outcome(() =>
          Buffer.from(formatJson(Buffer.from(text), { indent: spaces })).toString(),
        );
        expect(outcome(() => formatJsonText(text, { indent: spaces }))).toEqual(bytes);
      }),
    );
  });

  it("sorting is idempotent, keeps every value, and orders by code point", () => {
    fc.assert(
      fc.property(document, indent, (text, spaces) => {
        const options = { indent: spaces, sortKeys: true };
        const sorted = formatJsonText(text, options);
        expect(formatJsonText(sorted, options)).toBe(sorted);
        expect(JSON.parse(sorted)).toEqual(JSON.parse(text));
        expect([...sorted].toSorted()).toEqual([...formatJsonText(text, { indent: spaces })].toSorted());
      }),
    );
  });
});

describe("printer and scanner", () => {
  it("accept the same mutated documents, as JSON.parse does", () => {
    let refused = 0;
    let accepted = 0;
    fc.assert(
      fc.property(mutation, ([text, edits]) => {
        const bytes = edits.reduce(mutate, Buffer.from(text));
        const printed = outcome(() => Buffer.from(formatJson(bytes, { indent: 1 })).toString());
        const problem = firstJsonError(bytes);
        // The formatter throws what the scanner finds; an Error of another kind would pass through outcome().
        const { message, rule, offset, pointer } = problem ?? {};
        expect(printed).toEqual(problem ? { message, rule, offset, pointer } : expect.any(String));
        expect(typeof printed === "string").toBe(isJson(bytes));
        if (problem) refused++;
        else accepted++;
        if (problem) expect(problem.offset).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 1200 },
    );
    // The samples must contain both accepted and refused documents.
    expect(refused).toBeGreaterThan(40);
    expect(accepted).toBeGreaterThan(40);
  });

  it("report the same faults", () => {
    const key = fc.constantFrom('"a"', '"\\u0061"', '"b"', '""', '"é"', `"${"k".repeat(70)}"`);
    const { object } = fc.letrec<{ object: string; value: string }>((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, fc.constantFrom("1", '"a"', "[]", "{}"), tie("object")),
      object: fc
        .array(fc.tuple(key, tie("value")), { maxLength: 4 })
        .map((members) => `[{${members.map((member) => member.join(": ")).join(", ")}},"a","a"]`),
    }));
    let faulty = 0;
    fc.assert(
      fc.property(object, (text) => {
        const data = Buffer.from(text);
        const options = {
          dialect: "json",
          duplicateKeys: "error",
          maxDepth: 6,
          byteOrderMark: "refuse",
        } as const;
        const problems = validateJson(data, options);
        expect(problems).toEqual(toProblems(data, findFaults(data, options)));
        if (problems.length > 0) faulty++;
      }),
      { numRuns: 400 },
    );
    expect(faulty).toBeGreaterThan(100);
    expect(faulty).toBeLessThan(900);
  });

  it("accept the same tokens in any order", () => {
    const tokens = fc.array(
      fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', '"\\n"', "1", "-0.5e1", "null", " "),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(tokens, (parts) => {
        const bytes = Buffer.from(parts.join(""));
        expect(firstJsonError(bytes) === undefined).toBe(isJson(bytes));
        expect(outcome(() => formatJson(bytes, { indent: 1 })) instanceof Uint8Array).toBe(isJson(bytes));
      }),
      { numRuns: 1200 },
    );
  });
});

function mutate(bytes: Buffer, [place, kind, what]: [number, number, string | number]): Buffer {
  const at = place % (bytes.length + 1);
  const piece = typeof what === "number" ? Buffer.of(what) : Buffer.from(what);
  if (kind === 0) return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
  if (kind === 1) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  if (kind === 2) return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + 1)]);
  return bytes.subarray(0, at);
}

/** Returns the result, or the problem if the document is invalid; throws any other error. */
function outcome<T>(action: () => T): T | { rule: string; message: string } {
  try {
    return action();
  } catch (error) {
    if (error instanceof DocumentFault) return { message: error.message, rule: error.rule, ...error.at };
    throw error;
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
