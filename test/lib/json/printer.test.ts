import { describe, expect, it } from "vitest";
import { formatJson, formatJsonText } from "../../../src/lib/json/format.ts";

/** A printer that needed much memory is given up: the next document starts with 64 KiB. */
function startSmall(): void {
  formatJson(large, { indent: 0 });
}

const large = Buffer.from(" ".repeat(17_000_000) + "1");

describe("the memory of the printer", () => {
  it("grows at any place of a document", () => {
    for (let round = 0; round < 40; round++) {
      startSmall();
      // Lines of ever other width, with little left of the input that could hide a lack of room.
      const list = Array.from({ length: 150 + round * 5 }, (_, index) => index);
      const deep = Array.from({ length: 100 + round * 7 }).reduce<unknown>((inner) => [inner], list);
      const value = { deep, [`k${"y".repeat(round * 999)}`]: "é" };
      const text = JSON.stringify(value);
      const expected = JSON.stringify(value, null, 10);
      expect(formatJsonText(text, { indent: 10 }) === expected, `round ${round}`).toBe(true);
      startSmall();
      expect(Buffer.from(expected).equals(formatJson(Buffer.from(text), { indent: 10 }))).toBe(true);
    }
  });

  it("is given up after a document that needed much of it, and works again after", () => {
    const text = `[${"1,".repeat(6_000_000)}1]`;
    const first = formatJson(Buffer.from(text), { indent: 0 });
    expect(first.length).toBe(text.length);
    expect(formatJsonText("[1]", { indent: 1 })).toBe("[\n 1\n]");
    expect(Buffer.from(first).equals(Buffer.from(text))).toBe(true);
  });
});
