import { OptionFault } from "../fault.ts";
import { parseTest } from "./parse-filter.ts";
import { type Query, type Segment, type Selector } from "./query.ts";
import { expect, fail, found, type Reader, readString, skipBlank, take, takeMatch } from "./reader.ts";

/**
 * Parses a query of RFC 9535, checks its types and accepts no extension.
 * @throws OptionFault
 */
export function parseQuery(text: string): Query {
  const reader: Reader = { text, at: 0 };
  try {
    if (!take(reader, "$")) fail(reader, "a query starts with $");
    const segments = readSegments(reader);
    if (reader.at < text.length) fail(reader, `expected ., .. or [; found ${found(reader)}`);
    return { relative: false, segments };
  } catch (error) {
    // The brackets nest too deeply for the stack.
    if (error instanceof RangeError) throw new OptionFault("the query nests too deeply");
    throw error;
  }
}

/** Parses all segments from here on; leaves trailing white space. */
export function readSegments(reader: Reader): Segment[] {
  const segments: Segment[] = [];
  for (;;) {
    const before = reader.at;
    skipBlank(reader);
    if (reader.text[reader.at] === "[")
      segments.push({ descendant: false, selectors: readBracketed(reader) });
    else if (take(reader, "..")) {
      const selectors = reader.text[reader.at] === "[" ? readBracketed(reader) : [readShorthand(reader)];
      segments.push({ descendant: true, selectors });
    } else if (take(reader, ".")) segments.push({ descendant: false, selectors: [readShorthand(reader)] });
    else {
      reader.at = before;
      return segments;
    }
  }
}

function readShorthand(reader: Reader): Selector {
  if (take(reader, "*")) return { kind: "wildcard" };
  const name = takeMatch(reader, /[A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*/uy);
  if (name === undefined) return fail(reader, `expected a name or *; found ${found(reader)}`);
  if (!name.isWellFormed()) fail(reader, "a lone surrogate is not allowed", reader.at - name.length);
  return { kind: "name", name };
}

function readBracketed(reader: Reader): Selector[] {
  const start = reader.at;
  expect(reader, "[");
  const selectors: Selector[] = [];
  do {
    skipBlank(reader);
    selectors.push(readSelector(reader));
    skipBlank(reader);
  } while (take(reader, ","));
  if (reader.at >= reader.text.length) fail(reader, "this bracket is not closed", start);
  expect(reader, "]");
  return selectors;
}

function readSelector(reader: Reader): Selector {
  const unit = reader.text[reader.at];
  if (unit === '"' || unit === "'") return { kind: "name", name: readString(reader) };
  if (take(reader, "*")) return { kind: "wildcard" };
  if (take(reader, "?")) {
    skipBlank(reader);
    return { kind: "filter", test: parseTest(reader, readSegments) };
  }
  const start = readInteger(reader);
  const behind = reader.at;
  skipBlank(reader);
  if (!take(reader, ":")) {
    reader.at = behind;
    return start === undefined
      ? fail(reader, `expected a selector; found ${found(reader)}`)
      : { kind: "index", index: start };
  }
  skipBlank(reader);
  const stop = readInteger(reader);
  if (stop !== undefined) skipBlank(reader);
  let step: number | undefined;
  if (take(reader, ":")) {
    skipBlank(reader);
    step = readInteger(reader);
  }
  return { kind: "slice", start, stop, step };
}

/** An integer without leading zeros, not -0, and exact in a double (I-JSON). */
function readInteger(reader: Reader): number | undefined {
  const start = reader.at;
  const digits = takeMatch(reader, /-?\d+/y);
  if (digits === undefined) return undefined;
  if (!/^(?:0|-?[1-9]\d*)$/.test(digits))
    return fail(reader, "an index has no leading zeros and is not -0", start);
  return Number.isSafeInteger(Number(digits))
    ? Number(digits)
    : fail(reader, "this index is too large", start);
}
