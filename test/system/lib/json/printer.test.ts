import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { formatJson, formatJsonText } from "../../../../src/lib/json/format.ts";
import type { JsonRule } from "../../../../src/lib/json/problem.ts";
import { DocumentFault } from "../../../../src/lib/fault.ts";
import { cases, maxSeconds } from "../../../support/cases.ts";

const MiB = 1024 * 1024;
const maxResultBytes = 128 * MiB;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Drops the printer: one that has grown is left to the garbage collector, and the next one starts with 64 KiB. */
async function startSmall(): Promise<void> {
  formatJson(large, { indent: 0 });
  // A value that a weak reference has returned lives until the end of the job.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
}

const large = Buffer.from(" ".repeat(34_000_000) + "1");

describe("the memory of the printer", () => {
  it("grows at any place in a document", async () => {
    const rounds = Array.from({ length: 40 }, (_, round) => round);
    for (const round of cases(rounds, maxSeconds)) {
      await startSmall();
      // Lines of varying width, with little input left that could hide a lack of room.
      const list = Array.from({ length: 150 + round * 5 }, (_, index) => index);
      const deep = Array.from({ length: 100 + round * 7 }).reduce<unknown>((inner) => [inner], list);
      const value = { deep, [`k${"y".repeat(round * 999)}`]: "é" };
      const text = JSON.stringify(value);
      const expected = JSON.stringify(value, null, 10);
      expect(formatJsonText(text, { indent: 10 }) === expected, `round ${round}`).toBe(true);
      await startSmall();
      expect(Buffer.from(expected).equals(formatJson(Buffer.from(text), { indent: 10 }))).toBe(true);
    }
  });

  it("does not grow for a result that is refused", () => {
    const refused: [document: string, indent: number, rule: JsonRule][] = [
      ["[".repeat(9990), 2, "truncated"],
      ["[".repeat(4200), 10, "truncated"],
      ["[".repeat(9990) + "]".repeat(9990), 2, "result-too-large"],
      ["[".repeat(3000) + "]".repeat(2999) + "}", 10, "syntax"],
    ];
    formatJson(Buffer.from("[".repeat(1000) + "]".repeat(1000)), { indent: 10 });
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 8; round++) {
      for (const [document, indent, rule] of refused) {
        expect(ruleOf(() => formatJson(Buffer.from(document), { indent, maxResultBytes }))).toBe(rule);
        expect(ruleOf(() => formatJsonText(document, { indent, maxResultBytes }))).toBe(rule);
      }
    }
    // Written before it was refused, each of these 64 was 45 to 128 MiB.
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MiB);
  });

  it("is that of a single printer, for any number of large results", () => {
    const document = Buffer.from("[".repeat(4500) + "]".repeat(4500));
    const results = 4500 * 4500 * 2;
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 10; round++) formatJson(document, { indent: 2, maxResultBytes });
    collect();
    // Ten printers would be ten times the result.
    expect(process.memoryUsage().rss - before).toBeLessThan(5 * results);
  });

  it.each([" ", "\n\t", ""])(
    "formats a result larger than its kept memory, with %j between tokens",
    (space) => {
      // Nested, so that few tokens make many bytes.
      const at = { deep: [[[[[[["x"]]]]]]] };
      const item = { name: "Zoë", list: [1, -2.5e3, '\\"', [], {}, null, true, false], at };
      const most = 24_999;
      const spread = (text: string): string => text.replaceAll(/([[\]{},:])/g, `${space}$1${space}`);
      const before = spread("[") + spread(`${JSON.stringify(item)},`).repeat(most);
      const spaced = Buffer.from(before + spread(`${JSON.stringify(item)}]`));
      const one = JSON.stringify([item], null, 10).slice(1, -2);
      const expected = `[${`${one},`.repeat(most)}${one}\n]`;
      expect(expected.length).toBeGreaterThan(32 * MiB);
      const formatted = formatJson(spaced, { indent: 10 });
      expect(Buffer.from(expected).equals(formatted)).toBe(true);
      expect(formatJsonText(spaced.toString(), { indent: 10 }) === expected).toBe(true);
      // The limit is exact to the byte for measured results too.
      const length = Buffer.byteLength(expected);
      expect(formatJson(spaced, { indent: 10, maxResultBytes: length }).length).toBe(length);
      expect(ruleOf(() => formatJson(spaced, { indent: 10, maxResultBytes: length - 1 }))).toBe(
        "result-too-large",
      );
    },
  );

  it("is released after a large document, and the printer works afterwards", () => {
    const text = `[${"1,".repeat(6_000_000)}1]`;
    const first = formatJson(Buffer.from(text), { indent: 0 });
    expect(first.length).toBe(text.length);
    expect(formatJsonText("[1]", { indent: 1 })).toBe("[\n 1\n]");
    expect(Buffer.from(first).equals(Buffer.from(text))).toBe(true);
  });
});

function ruleOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof DocumentFault) return error.rule;
    throw error;
  }
  return undefined;
}
