import * as fc from "fast-check";
import { expect, test } from "vitest";
import { unicodeRules } from "../../../../src/lib/lint/unicode.ts";
import tool from "../../../../src/tools/lint/unicode-linter.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";
import { anyCharacter } from "../../../support/any-character.ts";

const lint = async (data: string, allow: string[] = []): Promise<string[]> => {
  const { errors } = JSON.parse(await runTool(tool, { data, allow })) as {
    errors: { rule: string; line: number; column: number; severity: string }[];
  };
  return errors.map(({ rule, line, column }) => `${rule} ${line}:${column}`);
};

test.each([
  ["plain ASCII\t\r\n", []],
  ["žluťoučký Привет γειά 日本語 한국어 עברית", []],
  ["👩‍👩‍👧 ❤️ 👍🏽 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 1️⃣ 🏳️‍🌈", []],
  ["می\u200cخواهم क्\u200dष", []],
  ["葛\u{e0100}", []],
  ["a\u202eb\u2066c", ["bidi-control 1:2", "bidi-control 1:4"]],
  ["a\u200eb", ["bidi-mark 1:2"]],
  ["a\u200bb", ["invisible-character 1:2"]],
  ["a\u200db", ["invisible-character 1:2"]],
  ["x\u3164 = 1", ["invisible-character 1:2"]],
  ["\ufeffa\ufeff", ["byte-order-mark 1:1", "invisible-character 1:3"]],
  // Bytes hidden behind one character, as variation selectors.
  ["a\u{e0101}\u{e0110}", ["invisible-character 1:2", "invisible-character 1:3"]],
  ["👋\u{e0041}", ["invisible-character 1:2"]],
  ["a\u00a0b\u2028c", ["unusual-space 1:2", "line-separator 1:4"]],
  ["a\n\u0000\u001b[", ["control-character 2:1", "control-character 2:2"]],
  ["\ud800", ["lone-surrogate 1:1"]],
  ["\ufffe\u{1ffff}", ["noncharacter 1:1", "noncharacter 1:2"]],
  ["\ufffd\ue000", ["replacement-character 1:1", "private-use 1:2"]],
  ["pаypal", ["mixed-script 1:2"]],
  ["пpивет", ["mixed-script 1:2"]],
  ["рaypal ok", ["mixed-script 1:1"]],
  ["δx", ["mixed-script 1:1"]],
  ["Москва-Berlin x_я", ["mixed-script 1:15"]],
])("%j has %j", async (data, found) => {
  expect(await lint(data)).toEqual(found);
});

test("reports look-alikes as errors, and other mixtures as warnings", async () => {
  const report = JSON.parse(await runTool(tool, { data: "pаypal δx" })) as {
    valid: boolean;
    errors: { severity: string }[];
  };
  expect(report.valid).toBe(false);
  expect(report.errors.map(({ severity }) => severity)).toEqual(["error", "warning"]);
});

test("does not report what is allowed: rules, and code points in either case", async () => {
  expect(await lint("a\u200bb\u00a0c\u202e", ["u+200b", "unusual-space"])).toEqual(["bidi-control 1:6"]);
  expect(await lint("pаypal", ["U+0430"])).toEqual([]);
  expect(await lint("pаypal", ["mixed-script"])).toEqual([]);
  for (const allow of ["nonsense", "U+", "U+zzzz", "200b"])
    expect(await refusalOf(runTool(tool, { data: "", allow: [allow] }))).toMatchObject({
      code: "invalid_input",
      pointer: "/allow",
    });
});

test("finds nothing if every rule is allowed; in ASCII it finds only control characters", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: anyCharacter }), async (data) => {
      expect(await lint(data, unicodeRules)).toEqual([]);
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary-ascii" }), async (data) => {
      expect(await lint(data, ["control-character"])).toEqual([]);
    }),
  );
});

test("limits the findings of hundreds of thousands of them, in linear time", async () => {
  const cost = startCost();
  for (const unit of ["\u200b", "pа ", "\u{e0041}", "👩\u200d"])
    expect((await lint(unit.repeat(70_000))).length).toBeLessThanOrEqual(1000);
  expect(cost()).toBeLessThan(150);
});
