import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import decoder from "../../../../src/tools/encoding/url-decoder.ts";
import encoder from "../../../../src/tools/encoding/url-encoder.ts";
import { anyCharacter } from "../../../support/any-character.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  ["a+b", {}, "a+b"],
  ["a+b", { plusAsSpace: true }, "a b"],
  ["a+b%2B", { mode: "form" }, "a b+"],
  ["%c3%A9", {}, "é"],
  ["é%C3%A9", {}, "éé"],
  ["%2f%20%3F%25", { mode: "uri" }, "%2f %3F%"],
  ["%00", {}, "\0"],
  ["caf%E9+%26", { charset: "iso-8859-1" }, "café+&"],
  ["é%E9é", { charset: "windows-1252" }, "ééé"],
  ["%83A%83%41", { charset: "shift_jis" }, "アア"],
  ["%2f+%E9", { charset: "iso-8859-1", mode: "uri", plusAsSpace: true }, "%2f é"],
  ["a+b%E9", { charset: "koi8-r", mode: "form" }, "a bИ"],
  ["100% caf%C3%A9 %zz%2", { keepMalformed: true }, "100% café %zz%2"],
])("%j with %j is %j", async (data, options, result) => {
  expect(await runTool(decoder, { data, ...options })).toBe(result);
});

describe("malformed input is refused with its position, never skipped", () => {
  test.each([
    ["100%", {}, 3],
    ["%4", {}, 0],
    ["é%zz", {}, 2],
    ["a%ff", {}, 1],
    ["%c3%a9%c3", {}, 6],
    ["%2F%C3x", { mode: "uri" }, 3],
    ["%ed%a0%80", {}, 0],
    ["é%E9%zz", { charset: "iso-8859-1" }, 5],
    ["éa%81", { charset: "shift_jis" }, 3],
  ])("%s with %j at byte %i", async (data, options, offset) => {
    expect(await refusalOf(runTool(decoder, { data, ...options }))).toMatchObject({
      code: "invalid_document",
      offset,
    });
  });

  test.each([
    ["100%", {}, "To accept it, set keepMalformed to true."],
    ["%E9 50%", {}, "set keepMalformed to true."],
    ["%E9", {}, "set charset"],
  ])("%s with %j names the option that would accept it", async (data, options, words) => {
    expect((await refusalOf(runTool(decoder, { data, ...options }))).message).toContain(words);
  });
});

test("decode ∘ encode is the identity in every mode", async () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom(..."+% &=/?#é%25") }),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom("component", "form", "uri", "rfc3986"), async (data, mode) => {
      const encoded = await runTool(encoder, { data, mode });
      const back = mode === "rfc3986" ? "component" : mode;
      expect(await runTool(decoder, { data: encoded, mode: back })).toBe(data);
      if (mode === "form") expect(new URLSearchParams(`x=${encoded}`).get("x")).toBe(data);
      if (mode === "uri" && data.isWellFormed()) expect(decodeURI(encoded)).toBe(data);
    }),
  );
});

test.each([
  ["%u20AC", "€"],
  ["a%u0020b%ud83d%ude00", "a b😀"],
  ["100%25%u0031", "100%1"],
])("%s, as escape() of JavaScript writes it, is %s", async (data, result) => {
  expect(await runTool(decoder, { data })).toBe(result);
});

test.each(["%u20A", "%ud83d", "%u"])("%s is refused", async (data) => {
  expect((await refusalOf(runTool(decoder, { data }))).code).toBe("invalid_document");
});

test.each([
  ["100%u, %u12, %ud83d and %u20AC", "100%u, %u12, %ud83d and €"],
  ["%ud83d%ude00%", "😀%"],
])("%s keeps what stands for nothing", async (data, wanted) => {
  expect(await runTool(decoder, { data, keepMalformed: true })).toBe(wanted);
});

test.each([
  ["%u20AC\n%u20AC%ff", { keepMalformed: true }, 13, 2, 7],
  ["é% %\n%zz%ff", { keepMalformed: true }, 9, 2, 4],
  ["%u20AC%4", {}, 6, 1, 7],
  ["%ud83d%u20AC", {}, 0, 1, 1],
])("a fault of %j has its place in the text", async (data, options, offset, line, column) => {
  expect(await refusalOf(runTool(decoder, { data, ...options }))).toMatchObject({ offset, line, column });
});
