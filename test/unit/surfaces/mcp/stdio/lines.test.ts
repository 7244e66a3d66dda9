import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readLines } from "../../../../../src/surfaces/mcp/stdio/lines.ts";

async function linesOf(chunks: readonly string[], most = 100): Promise<string[]> {
  const lines: string[] = [];
  const stream = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  for await (const line of readLines(stream, most))
    lines.push(line === "too-long" ? line : Buffer.from(line.bytes).toString());
  return lines;
}

test.each([
  ["two lines of one chunk", ["a\nb\n"], ["a", "b"]],
  ["a line of several chunks", ["a", "b", "c\nd", "\n"], ["abc", "d"]],
  ["empty lines", ["\n\r\n\na\n"], ["a"]],
  ["a last line without its end", ["a\nb"], ["a"]],
  ["nothing", [], []],
])("reads %s", async (_, chunks, lines) => {
  expect(await linesOf(chunks)).toEqual(lines);
});

test("skips a line that is too long, in one chunk or in many, and reads the next", async () => {
  expect(await linesOf([`${"x".repeat(101)}\na\n`])).toEqual(["too-long", "a"]);
  expect(await linesOf([...Array.from({ length: 60 }, () => "xx"), "x\na\n"])).toEqual(["too-long", "a"]);
  expect(await linesOf([`${"x".repeat(100)}\n`])).toEqual(["x".repeat(100)]);
});

test("where a stream is cut makes no difference", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom("a", "\n", "é", "\r"), maxLength: 12 })),
      async (chunks) => {
        expect(await linesOf(chunks)).toEqual(await linesOf([chunks.join("")]));
      },
    ),
  );
});
