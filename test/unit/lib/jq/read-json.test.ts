import * as fc from "fast-check";
import { expect, test } from "vitest";
import { JsonTextError } from "../../../../src/lib/jq/json-parts.ts";
import { openJson } from "../../../../src/lib/jq/read-json.ts";
import { toText } from "../../../../src/lib/jq/write-json.ts";
import { propertyRuns } from "../../../support/cases.ts";

interface Outcome {
  values: string[];
  fault?: string;
}

/** Reads a text in pieces, as a stream brings them. */
function readIn(pieces: readonly string[]): Outcome {
  const reader = openJson("", true);
  const values: string[] = [];
  let text = "";
  for (const [index, piece] of pieces.entries()) {
    const more = index < pieces.length - 1;
    text = text.slice(reader.at) + piece;
    reader.feed(text, more);
    try {
      for (let value = reader.next(); value !== undefined; value = reader.next()) values.push(toText(value));
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      if (!(error.unfinished && more)) return { values, fault: error.message };
    }
  }
  return { values };
}

const documents = fc.oneof(
  fc.array(fc.json({ maxDepth: 4 }), { maxLength: 4 }).map((values) => values.join(" ")),
  fc
    .array(
      fc.constantFrom(
        ...'[ ] { } , : "a" "\\u00e9" 1 -0.5 1.10 1e3 12345678901234567890 0.30000000000000004 007 .5 nan true nul " \n \ufeff'.split(
          " ",
        ),
      ),
      { maxLength: 20 },
    )
    .map((tokens) => tokens.join("")),
);

test("a text in pieces has the values, or the fault, of the whole text", () => {
  fc.assert(
    fc.property(documents, fc.array(fc.nat(), { maxLength: 8 }), (text, cuts) => {
      const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted((a, b) => a - b);
      const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
      expect(readIn(pieces)).toEqual(readIn([text]));
    }),
    { numRuns: propertyRuns(1000) },
  );
});

test.each([
  "1",
  "-1.5",
  "1.10",
  "1.0",
  "0.30000000000000004",
  "-65.613616999999977",
  "9007199254740993",
  "1e1000",
  "0.000001",
  "12345678901234567890.5",
])("%s is spelled as it is", (number) => {
  expect(readIn([number])).toEqual({ values: [number] });
});

test.each([
  ["007", "7"],
  [".5", "0.5"],
  ["1.", "1"],
  ["-.5e3", "-0.5e3"],
  ["00000000000000000001", "1"],
])("%s is spelled %s", (number, spelled) => {
  expect(readIn([number])).toEqual({ values: [spelled] });
});
