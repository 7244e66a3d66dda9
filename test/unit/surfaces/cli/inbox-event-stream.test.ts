import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createEventReader } from "../../../../src/surfaces/cli/inbox/event-stream.ts";
import { startCost } from "../../../cost/start-cost.ts";

const read = (...chunks: (string | Uint8Array)[]) => {
  const reader = createEventReader();
  return chunks.flatMap((chunk) => reader.feed(Buffer.from(chunk)));
};
const dataOf = (...chunks: (string | Uint8Array)[]) => read(...chunks).map(({ data }) => data);

/** From the Web Platform Tests (eventsource/format-*), with further cases of WHATWG HTML §9.2.6. */
test.each<[string, string, string[]]>([
  ["lines end in CR, LF or both", "data:test\r\ndata\ndata:test\r\n\r\n", ["test\n\ntest"]],
  [
    "names of fields are exact",
    "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
    ["\0\n 2\n1\n3\n\n4"],
  ],
  ["one space is taken away", "data:\ttest\rdata: \ndata:test\n\n", ["\ttest\n\ntest"]],
  ["a mark of byte order at the beginning", "\ufeffdata:1\n\ndata:2\n\n", ["1", "2"]],
  ["and only there", "data:1\n\n\ufeffdata:2\n\ndata:3\n\n", ["1", "3"]],
  ["and only one", "\ufeff\ufeffdata:1\n\ndata:2\n\n", ["2"]],
  [
    "comments",
    `data:1\r:\0\n:\r\ndata:2\n:${"x".repeat(2048)}\rdata:3\n:data:fail\r:${"x".repeat(2048)}\ndata:4\n\n`,
    ["1\n2\n3\n4"],
  ],
  [
    "data that is empty, and none",
    "data:\n\ndata\ndata\n\nevent:x\n\nid:1\n\ndata:test\n\n",
    ["", "\n", "test"],
  ],
  ["an event without its blank line is none", "retry:1000\ndata:test1\n\nid:test\ndata:test2\n", ["test1"]],
  ["unknown fields", "data:1\nx:y\n\n", ["1"]],
  ["many blank lines", "\n\r\r\n\ndata:1\n\n\n\n\n", ["1"]],
  ["characters of several bytes", "data:Zażółć 👋\n\n", ["Zażółć 👋"]],
])("%s", (_, text, data) => {
  expect(dataOf(text)).toEqual(data);
});

test("replaces invalid UTF-8 and loses nothing else", () => {
  expect(dataOf(Uint8Array.of(...Buffer.from("data:a"), 0xff, ...Buffer.from("b\n\n")))).toEqual([
    "a\ufffdb",
  ]);
});

test("resets the type after each event and keeps the id", () => {
  expect(
    read("id:1\nevent:a\ndata:x\n\ndata:x\n\nid\nevent: \ndata:x\n\nid:2\n\nid:3\0\ndata:x\n\n"),
  ).toEqual([
    { id: "1", type: "a", data: "x" },
    { id: "1", type: "message", data: "x" },
    { id: "", type: "message", data: "x" },
    { id: "2", type: "message", data: "x" },
  ]);
});

test("accepts only digits as a reconnection time", () => {
  const reader = createEventReader();
  expect(reader.retryMs).toBeUndefined();
  reader.feed(Buffer.from("retry:3000\nretry:1000x\nretry:-1\nretry\nretry:1e3\nretry:99999999999\n\n"));
  expect(reader.retryMs).toBe(3000);
});

test("gives the same events however the stream is split", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "",
      "",
      "data",
      "data:",
      "data: ",
      "id:7",
      "id",
      "event:x",
      "retry:5",
      ":c",
      "data:👋",
      "data:é",
    ),
    fc.string({ unit: "grapheme", maxLength: 10 }),
  );
  const end = fc.constantFrom("\n", "\r", "\r\n");
  fc.assert(
    fc.property(fc.array(fc.tuple(line, end)), fc.array(fc.nat(), { maxLength: 20 }), (lines, cuts) => {
      const bytes = Buffer.from(lines.flat().join(""));
      const places = [
        0,
        ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b),
        bytes.length,
      ];
      const chunks = places.slice(1).map((to, at) => bytes.subarray(places[at], to));
      expect(read(...chunks)).toEqual(read(bytes));
      expect(read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(read(bytes));
    }),
  );
});

test("reads a large event in many pieces in linear memory", () => {
  const text = "x".repeat(8 * 1024 * 1024);
  const reader = createEventReader();
  const bytes = Buffer.from(`data:${text}\n\n`);
  const cost = startCost();
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += 1024)
    found.push(...reader.feed(bytes.subarray(at, at + 1024)).map(({ data }) => data));
  expect(found).toEqual([text]);
  // Copying the previous text 8,000 times would take 32 GB.
  expect(cost()).toBeLessThan(300);
});
