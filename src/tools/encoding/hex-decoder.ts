import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { decodeHexLayout } from "../../lib/hex-layout.ts";
import { decodedBytes, fromDecodedBytes } from "../decoded-bytes.ts";
import { refusing } from "../refusing.ts";

const input = z.object({
  data: z.string().describe("The hexadecimal digits, two per byte; line breaks between bytes are skipped"),
  separator: z
    .string()
    .max(8)
    .default("")
    .describe(
      "Separator between bytes; auto skips spaces, tabs, colons, hyphens, commas, semicolons, 0x, \\x and %",
    ),
  ...decodedBytes,
});

export default defineTool({
  slug: "hex-decoder",
  title: "Hex decoder",
  summary: "Decode hexadecimal digits to text or bytes.",
  input,
  exact: true,
  examples: [
    { input: { data: "5a61c5bcc3b3c582c487" }, result: "Zażółć" },
    {
      title: "Binary data from a fingerprint",
      input: { data: "DE:AD:BE:EF", separator: ":", outputEncoding: "base64" },
      result: "3q2+7w==",
    },
    {
      title: "Bytes in source code notation",
      input: { data: "0x70, 0x65, 0x6e", separator: "auto" },
      result: "pen",
    },
  ],
  run: ({ data, ...options }) => decode(Buffer.from(data), options),
  runBytes: decode,
});

function decode(data: Uint8Array, options: Omit<z.output<typeof input>, "data">): string | Uint8Array {
  return fromDecodedBytes(
    refusing(data, () => decodeHexLayout(data, options.separator)),
    options,
  );
}
