import * as fc from "fast-check";
import { expect, test } from "vitest";
import encoder from "../../../../src/tools/encoding/url-encoder.ts";
import { anyCharacter } from "../../../support/any-character.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  ["", "component", ""],
  ["a+b c", "component", "a%2Bb%20c"],
  ["-_.!~*'()", "component", "-_.!~*'()"],
  ["-_.!~*'()", "rfc3986", "-_.%21~%2A%27%28%29"],
  ["-_.!~*'()", "form", "-_.%21%7E*%27%28%29"],
  ["a b+c\n", "form", "a+b%2Bc%0A"],
  ["/?#[]@:;&=$,%20", "uri", "/?#%5B%5D@:;&=$,%2520"],
  ["👋", "component", "%F0%9F%91%8B"],
  ["\0", "component", "%00"],
])("%j in mode %s is %s", async (data, mode, result) => {
  expect(await runTool(encoder, { data, mode })).toBe(result);
});

test("agrees with encodeURIComponent and URLSearchParams", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: anyCharacter }), async (data) => {
      expect(await runTool(encoder, { data })).toBe(encodeURIComponent(data));
      const form = new URLSearchParams([["", data]]).toString().slice(1);
      expect(await runTool(encoder, { data, mode: "form" })).toBe(form);
    }),
  );
});

test("leaves only unreserved characters for a signature (RFC 3986 §2.3)", async () => {
  const ascii = String.fromCodePoint(...Array.from({ length: 128 }, (_, code) => code));
  const encoded = await runTool(encoder, { data: ascii, mode: "rfc3986" });
  expect(encoded.replaceAll(/%[\dA-F]{2}/g, "")).toBe(
    "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~",
  );
});

test("refuses a mode that it does not have, and names its modes", async () => {
  const refusal = await refusalOf(runTool(encoder, { data: "a", mode: "url" }));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/mode" });
  expect(refusal.message).toContain("rfc3986");
});

test("a lone surrogate has no UTF-8", async () => {
  const refusal = await refusalOf(runTool(encoder, { data: "é\ud800" }));
  expect(refusal).toMatchObject({ code: "invalid_document", offset: 2 });
});
