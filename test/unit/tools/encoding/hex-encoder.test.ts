import * as fc from "fast-check";
import { expect, test } from "vitest";
import encoder from "../../../../src/tools/encoding/hex-encoder.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

test.each([
  [{ data: "ab", separator: " " }, "61 62"],
  [{ data: "ab", separator: "·" }, "61·62"],
  [{ data: "a", separator: ":" }, "61"],
  [{ data: "/w==", dataEncoding: "base64", upper: true }, "FF"],
])("encodes %j", async (input, result) => {
  expect(await runTool(encoder, input)).toBe(result);
});

test.each([
  [{ data: "e\ud800" }, "invalid_document", ""],
  [{ data: "/w*", dataEncoding: "base64" }, "invalid_document", ""],
  [{ data: "a", separator: "123456789" }, "invalid_input", "/separator"],
  [{ data: "a", upper: "yes" }, "invalid_input", "/upper"],
])("%j is refused", async (input, code, pointer) => {
  const refusal = await refusalOf(runTool(encoder, input));
  expect(refusal.code).toBe(code);
  expect(refusal.pointer ?? "").toBe(pointer);
});

test("writes the digits that Buffer writes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      expect((await runRaw(encoder, bytes)).toString()).toBe(Buffer.from(bytes).toString("hex"));
    }),
  );
});
