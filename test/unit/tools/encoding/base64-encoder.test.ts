import { expect, test } from "vitest";
import encoder from "../../../../src/tools/encoding/base64-encoder.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

test.each([
  [{ data: "" }, ""],
  [{ data: "f" }, "Zg=="],
  [{ data: "f", padding: false }, "Zg"],
  [{ data: "f", variant: "url" }, "Zg"],
  [{ data: "f", variant: "url", padding: true }, "Zg=="],
  [{ data: "\u0000a\u0000" }, "AGEA"],
  [{ data: "ÿ" }, "w78="],
  [{ data: "ff ef".replace(" ", ""), dataEncoding: "hex" }, "/+8="],
  [{ data: "FFEF", dataEncoding: "hex", variant: "url" }, "_-8"],
  [{ data: "_-8", dataEncoding: "base64" }, "/+8="],
  [{ data: "abcdef", lineLength: 4 }, "YWJj\nZGVm"],
  [{ data: "abc", lineLength: 4 }, "YWJj"],
])("%j", async (input, result) => {
  expect(await runTool(encoder, input)).toBe(result);
});

test.each([
  [{ data: "abc", dataEncoding: "hex" }, "invalid_document", 3],
  [{ data: "a\ng0", dataEncoding: "hex" }, "invalid_document", 1],
  [{ data: "0g", dataEncoding: "hex" }, "invalid_document", 1],
  [{ data: "Zh==", dataEncoding: "base64" }, "invalid_document", 1],
  [{ data: "a", lineLength: 5 }, "invalid_input", undefined],
  [{ data: "a", lineLength: 80 }, "invalid_input", undefined],
])("%j is refused", async (input, code, offset) => {
  expect(await refusalOf(runTool(encoder, input))).toMatchObject({
    code,
    ...(offset !== undefined && { offset }),
  });
});

test.each([
  { data: "68 65 6c", dataEncoding: "hex" },
  { data: "0x68656c", dataEncoding: "hex" },
  { data: " aGVs\t", dataEncoding: "base64" },
])("%j is decoded as the decoders do", async (input) => {
  expect(await runTool(encoder, input)).toBe("aGVs");
});

test("unpadded base64 is accepted, and a refusal names the encoding that takes any text", async () => {
  expect(await runTool(encoder, { data: "aGVsbG8", dataEncoding: "base64" })).toBe("aGVsbG8=");
  for (const dataEncoding of ["hex", "base64"])
    expect((await refusalOf(runTool(encoder, { data: "né", dataEncoding }))).message).toContain(
      "set dataEncoding to utf8",
    );
});

test("a raw body is encoded as bytes", async () => {
  expect((await runRaw(encoder, Buffer.from([0xff, 0x00, 0xfe]))).toString()).toBe("/wD+");
});
