import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import base64Decoder from "../../../../src/tools/encoding/base64-decoder.ts";
import decoder from "../../../../src/tools/encoding/hex-decoder.ts";
import encoder from "../../../../src/tools/encoding/hex-encoder.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

// RFC 4648 §10.
test.each([
  ["", ""],
  ["f", "66"],
  ["fo", "666F"],
  ["foo", "666F6F"],
  ["foob", "666F6F62"],
  ["fooba", "666F6F6261"],
  ["foobar", "666F6F626172"],
])("%j is %s", async (data, hex) => {
  expect(await runTool(encoder, { data, upper: true })).toBe(hex);
  expect(await runTool(decoder, { data: hex })).toBe(data);
});

test.each([
  [{ data: "61\r\n62\n" }, "ab"],
  [{ data: "61:62\n63", separator: ":" }, "abc"],
  [{ data: "61·62", separator: "·" }, "ab"],
  [{ data: "61a62", separator: "a" }, "ab"],
  [{ data: "\\x61\\x62 0X63,%64-65;66\t67", separator: "auto" }, "abcdefg"],
  [{ data: "68 65 6c" }, "hel"],
  [{ data: "0x68656c" }, "hel"],
  [{ data: " 68:65\n6C " }, "hel"],
  [{ data: "61:62", separator: ":", strict: true }, "ab"],
  [{ data: "e9", charset: "iso-8859-1" }, "é"],
  [{ data: "ff00", outputEncoding: "base64" }, "/wA="],
  [{ data: "FF00", outputEncoding: "hex" }, "ff00"],
])("decodes %j", async (input, result) => {
  expect(await runTool(decoder, input)).toBe(result);
});

describe("refuses what a lenient decoder would truncate or guess", () => {
  test.each([
    [{ data: "6" }, 1],
    [{ data: "6g" }, 1],
    [{ data: "61 62", strict: true }, 2],
    [{ data: "0x61", strict: true }, 1],
    [{ data: "61 62", separator: "" }, 2],
    [{ data: "61 6" }, 4],
    [{ data: "6:162", separator: ":" }, 1],
    [{ data: "6162", separator: ":" }, 2],
    [{ data: "61:", separator: ":" }, 3],
    [{ data: "61::62", separator: ":" }, 3],
    [{ data: "61 6 2", separator: "auto" }, 4],
    [{ data: "61é", separator: "auto" }, 2],
  ])("%j is refused at byte %i", async (input, offset) => {
    expect(await refusalOf(runTool(decoder, input))).toMatchObject({ code: "invalid_document", offset });
  });

  test.each([
    [{ data: "61 62", strict: true }, "set strict to false."],
    [{ data: "61 62", separator: "" }, "set separator to auto."],
    [{ data: "61 62", separator: ":" }, "set separator to auto."],
  ])("%j names the option that would accept it", async (input, words) => {
    expect((await refusalOf(runTool(decoder, input))).message).toContain(words);
  });

  test("no option is named where none helps", async () => {
    expect((await refusalOf(runTool(decoder, { data: "6g", strict: true }))).message).not.toContain("set ");
  });

  test("bytes that are not text are returned raw; in JSON they are refused with advice", async () => {
    expect(await runRaw(decoder, Buffer.from("fffe"))).toEqual(Buffer.from([0xff, 0xfe]));
    expect((await refusalOf(runTool(decoder, { data: "ff" }))).message).toContain("outputEncoding");
    expect((await refusalOf(runTool(decoder, { data: "81", charset: "shift_jis" }))).message).toContain(
      "shift_jis",
    );
  });
});

test.each([
  ["00000000: 6162 6364                                abcd", "abcd"],
  ["00000000  61 62 63 64                                       |abcd|\n00000004\n", "abcd"],
  ["000000 48 65 6c 6c 6f\n000005\n", "Hello"],
  // xxd -b, xxd -s 0x100, and xxd after somebody edited its digits.
  ["00000000: 01001000 01100101 01101100 01101100 01101111           Hello\n", "Hello"],
  ["00000100: 4865 6c6c 6f                             Hello\n", "Hello"],
  ["00000000: 4a65 6c6c 6f                             Hello\n", "Jello"],
  // Wireshark, with characters that look like digits, and with bytes that do not print.
  [
    "0000   48 65 6c 6c 6f 2c 20 77 6f 72 6c 64 21 20 61 62   Hello, world! ab\n0010   0a 43   .C\n",
    "Hello, world! ab\nC",
  ],
  ["0000   61 62 20 63 64   ab cd", "ab cd"],
  ["0000   09 0a 0d   ...\n0003   61   a", "\t\n\ra"],
  // tcpdump -X.
  ["\t0x0000:  4865 6c6c 6f2c 2077 6f72 6c64 210a 4142  Hello,.world!.AB\n", "Hello, world!\nAB"],
  // Format-Hex of PowerShell 5 and 7.
  [
    "\r\n           Path: C:\\a.txt\r\n\r\n           00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\r\n\r\n00000000   48 65 6C 6C 6F                                   Hello\r\n",
    "Hello",
  ],
  [
    "   Label: String (System.String) <07F66B59>\n\n          Offset Bytes                                           Ascii\n                 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n          ------ ----------------------------------------------- -----\n0000000000000000 48 65 6C 6C 6F 2C 20 77 6F 72 6C 64 21 0D 41 42 Hello, world!\uFFFDAB\n0000000000000010 43                                              C\n",
    "Hello, world!\rABC",
  ],
])("%j", async (data, text) => {
  expect(await runTool(decoder, { data })).toBe(text);
});

test("digits that are no dump are decoded as before", async () => {
  for (const data of ["00000000: 61\n00000002: 62", "616263: 64", "00000000 61\n*\n00000000", "4865  6c6c"])
    expect(await runTool(decoder, { data, outputEncoding: "hex" }).catch(() => "")).not.toBe("6162");
});

test.each([
  ["0000000 6261\n0000002", "-t x1"],
  ["00000000: 6c6c6548 77202c6f 646c726f 42410a21  Hello, world!.AB\n", "without -e"],
  ["0000000 110 145 154 154 157\n0000005\n", "octal"],
  ["0000000   H   e   l   l   o  \\n\n0000006\n", "octal"],
])("%j is refused: %s", async (data, advice) => {
  expect((await refusalOf(runTool(decoder, { data }))).message).toContain(advice);
});

test("a repetition without end is refused", async () => {
  const bomb = `${"00000000 61".padEnd(58)}\n*\nffffffff00 61\n`;
  expect((await refusalOf(runTool(decoder, { data: bomb }))).code).toBe("invalid_document");
});

test("decode ∘ encode is the identity on bytes, with every separator", async () => {
  const separator = fc.constantFrom("", ":", " ", "\n", ", 0x", "a", "🙂");
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 50 }),
      separator,
      fc.boolean(),
      async (bytes, between, upper) => {
        const encoded = await runRaw(encoder, bytes, { separator: between, upper: String(upper) });
        expect(await runRaw(decoder, encoded, { separator: between })).toEqual(Buffer.from(bytes));
      },
    ),
  );
});

test.each(["charset", "outputEncoding"])("%s is one CSV field for any decoded bytes", (name) => {
  expect(decoder.input.shape[name]).toBeDefined();
  expect(decoder.input.shape[name]).toBe(base64Decoder.input.shape[name]);
});
