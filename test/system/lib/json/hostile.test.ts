import { describe, expect, it } from "vitest";
import { firstJsonError } from "../../../../src/lib/json/first-error.ts";
import { formatJson, formatJsonText } from "../../../../src/lib/json/format.ts";
import { faultOf } from "../../../unit/lib/json/fault-of.ts";
import { validateJson } from "../../../../src/lib/json/validate.ts";
import { startCost } from "../../../cost/start-cost.ts";

const MB = 1_000_000;
const many = 200_000;
/** Far above what linear work takes, far below what quadratic work would. */
/** In units of `startCost`. */
const most = 150;

describe("hostile documents", () => {
  it.each([
    ["[", "["],
    ['{"a":', '{"a":'],
    ["[{", '[{"":'],
  ])("two hundred thousand of %s exceed the depth limit", (_, open) => {
    const data = Buffer.from(open.repeat(many));
    expect(within(() => faultOf(data, () => formatJson(data, { indent: 1 })))).toMatchObject({
      rule: "too-deep",
    });
    expect(
      within(() =>
        faultOf(open.repeat(many), () => formatJsonText(open.repeat(many), { indent: 0, sortKeys: true })),
      ),
    ).toMatchObject({ rule: "too-deep" });
    for (const dialect of ["json", "jsonc", "json5"] as const) {
      expect(within(() => validateJson(data, { dialect }))).toMatchObject([{ rule: "too-deep" }]);
    }
    expect(within(() => firstJsonError(data))).toMatchObject({ rule: "truncated" });
  });

  it("two hundred thousand closed brackets pass if the depth is allowed", () => {
    const text = "[".repeat(many) + "]".repeat(many);
    expect(within(() => formatJsonText(text, { indent: 0, maxDepth: many })) === text).toBe(true);
    expect(within(() => firstJsonError(Buffer.from(text)))).toBeUndefined();
    const keyed = '{"a":'.repeat(many) + "1" + "}".repeat(many);
    expect(within(() => formatJsonText(keyed, { indent: 0, maxDepth: many, sortKeys: true })) === keyed).toBe(
      true,
    );
  });

  it("accepts or refuses a 2 MB string in linear time", () => {
    const text = `"${"x\\n".repeat(0.7 * MB)}"`;
    expect(within(() => formatJsonText(text, { indent: 2 })) === text).toBe(true);
    expect(
      within(() => faultOf(text.slice(0, -1), () => formatJsonText(text.slice(0, -1), { indent: 2 }))),
    ).toMatchObject({
      rule: "truncated",
    });
    expect(within(() => validateJson(Buffer.from(`{${text}:1,${text}:2}`)))).toHaveLength(1);
  });

  it("finds an error after 2 MB of white space or line breaks", () => {
    for (const space of [" ", "\n", "\r"]) {
      const data = Buffer.from(`${space.repeat(2 * MB)}x`);
      expect(within(() => faultOf(data, () => formatJson(data, { indent: 2 })))).toMatchObject({
        offset: 2 * MB,
      });
    }
  });

  it("of 50,000 duplicate keys the first hundred are reported", () => {
    const data = Buffer.from(`{${'"k":1,'.repeat(50_000)}"k":1}`);
    const problems = within(() => validateJson(data));
    expect(problems).toHaveLength(100);
    expect(problems[99]).toMatchObject({ rule: "duplicate-key", offset: 601, pointer: "/k" });
    expect(within(() => formatJson(data, { indent: 0 })).length).toBe(data.length);
    expect(within(() => formatJson(data, { indent: 0, sortKeys: true })).length).toBe(data.length);
  });

  it("50,000 similar keys are distinct", () => {
    const members = Array.from({ length: 50_000 }, (_, index) => `"${"a".repeat(20)}${index}":1`);
    const data = Buffer.from(`{${members.toReversed().join(",")}}`);
    expect(within(() => validateJson(data))).toEqual([]);
    expect(within(() => formatJson(data, { indent: 0, sortKeys: true })).length).toBe(data.length);
  });

  it("duplicates below a path of megabytes do not repeat it", () => {
    const data = Buffer.from(`{"${"p".repeat(2 * MB)}":{${'"k":1,'.repeat(1000)}"k":1}}`);
    const problems = within(() => validateJson(data));
    expect(problems).toHaveLength(100);
    expect(JSON.stringify(problems).length).toBeLessThan(100_000);
  });

  it("nesting times indentation is limited", () => {
    // 2 MB that would become 9 GB.
    const data = Buffer.from("[".repeat(9_000) + "1,".repeat(MB) + "1" + "]".repeat(9_000));
    expect(within(() => faultOf(data, () => formatJson(data, { indent: 10 })))).toMatchObject({
      rule: "result-too-large",
    });
    expect(
      within(() => faultOf(data, () => formatJson(data, { indent: 10, maxResultBytes: 1000 }))),
    ).toMatchObject({ rule: "result-too-large" });
    expect(within(() => formatJson(data, { indent: 0 })).length).toBe(data.length);
  });
});

describe("memory", () => {
  it("does not grow with the number of large documents", () => {
    // A printer is dropped after a document that it needs more than 32 MiB for.
    const data = Buffer.from(`${"[".repeat(8)}${"1,".repeat(0.43 * MB)}1${"]".repeat(8)}`);
    expect(formatJson(data, { indent: 10 }).length).toBeGreaterThan(34 * MB);
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 6; round++) formatJson(data, { indent: 10 });
    // Six results of 36 MB, and as many printers, would be 430 MB.
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * MB);
  });

  it("returns the right result after a refused document", () => {
    expect(faultOf("[".repeat(50), () => formatJsonText("[".repeat(50), { indent: 2 }))).toMatchObject({
      rule: "truncated",
    });
    expect(formatJsonText("[1]", { indent: 2 })).toBe("[\n  1\n]");
    // The rest of a longer document must not be read as part of a shorter one.
    expect(formatJsonText(`["${"x".repeat(200)}",12345678]`, { indent: 0 })).toHaveLength(213);
    expect(faultOf('["', () => formatJsonText('["', { indent: 2 }))).toMatchObject({
      rule: "truncated",
    });
    expect(formatJsonText("12", { indent: 2 })).toBe("12");
  });
});

function within<T>(action: () => T): T {
  const cost = startCost();
  const result = action();
  expect(cost()).toBeLessThan(most);
  return result;
}
