import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { createHexParts, decodeHexLayout, hasUsualSeparators } from "../../lib/hex-layout.ts";
import { createDecodingRun, decodedBytes, fromDecodedBytes } from "../decoded-bytes.ts";
import { refusing, withRemedy } from "../refusing.ts";

const input = z.object({
  data: z
    .string()
    .describe(
      "The hexadecimal digits, two per byte, or a dump of xxd, hexdump -C, od -t x1, Wireshark, tcpdump -X or Format-Hex",
    ),
  separator: z
    .string()
    .max(8)
    .default("auto")
    .describe(
      "Separator between bytes, besides line breaks; auto skips white space, colons, hyphens, commas, semicolons, 0x, \\x and %",
    ),
  strict: z
    .boolean()
    .default(false)
    .describe("Refuse separators that separator does not name; with auto, allow none but line breaks"),
  ...decodedBytes,
});

export default defineTool({
  slug: "hex-decoder",
  title: "Hex decoder",
  version: "1.3.0",
  summary: "Decode hexadecimal digits to text or bytes.",
  page: {
    tile: "Digits to text or bytes",
    view: "bytes",
    options: ["separator", "charset"],
    labels: { charset: "Text is" },
  },
  accepts: "hexadecimal digits",
  aliases:
    "hex, from hex, xxd -r, xxd -r -p, unhex, unhexlify, hex to text, hex to string, hex to ascii, hex to bytes, hex decode, bytes.fromhex, hex2bin, decode hexadecimal, hexdump to text",
  input,
  exact: true,
  check: "strict",
  examples: [
    { input: { data: "5a61c5bcc3b3c582c487" }, result: "Zażółć" },
    {
      title: "Binary data from a fingerprint",
      input: { data: "DE:AD:BE:EF", separator: ":", outputEncoding: "base64" },
      result: "3q2+7w==",
    },
    {
      title: "A dump, as xxd -r reads it",
      input: { data: "00000000: 7065 6e6b 6e69 6665                      penknife" },
      result: "penknife",
    },
    {
      title: "Bytes in source code notation",
      input: { data: "0x70, 0x65, 0x6e" },
      result: "pen",
    },
  ],
  run: ({ data, ...options }) => decode(Buffer.from(data), options),
  runBytes: decode,
  runBlocks(options) {
    const parts = createHexParts(toSeparator(options));
    if (parts === undefined) return undefined;
    const decodePart = (part: Uint8Array) => refusing(part, () => parts.decode(part));
    return createDecodingRun("hex-decoder", { cut: parts.cut, decode: decodePart }, options);
  },
});

type Options = Omit<z.output<typeof input>, "data">;

const toSeparator = ({ strict, separator }: Options): string =>
  strict && separator === "auto" ? "" : separator;

function decode(data: Uint8Array, options: Options): string | Uint8Array {
  const separator = toSeparator(options);
  const remedy = options.separator === "auto" ? "strict to false" : "separator to auto";
  return fromDecodedBytes(
    refusing(data, () =>
      withRemedy(
        () => decodeHexLayout(data, separator),
        () => (separator !== "auto" && hasUsualSeparators(data) ? remedy : undefined),
      ),
    ),
    options,
  );
}
