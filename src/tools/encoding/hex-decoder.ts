import { z } from "zod";
import { ToolError } from "../../catalog/errors.ts";
import { defineTool } from "../../catalog/tool.ts";
import { charsets, decodeCharset } from "../../lib/charset.ts";
import { decodeHexLayout } from "../../lib/hex-layout.ts";
import { refusingBytes } from "../bytes.ts";

const input = z.object({
  data: z.string().describe("The hexadecimal digits, two for each byte; line ends between bytes are skipped"),
  separator: z
    .string()
    .max(8)
    .default("")
    .describe(
      "What stands between two bytes; auto skips spaces, tabs, colons, hyphens, commas, semicolons, 0x, \\x and %",
    ),
  charset: z
    .enum(charsets)
    .default("utf-8")
    .describe("The charset of the decoded text; the result is always UTF-8"),
  outputEncoding: z
    .enum(["utf8", "hex", "base64"])
    .default("utf8")
    .describe("utf8 for text; hex or base64 (standard, padded) for bytes that are none"),
});

export default defineTool({
  slug: "hex-decoder",
  title: "Hex decoder",
  summary: "Decode hexadecimal digits to text or bytes.",
  input,
  examples: [
    { input: { data: "5a61c5bcc3b3c582c487" }, result: "Zażółć" },
    {
      title: "Bytes that are not text, from a fingerprint",
      input: { data: "DE:AD:BE:EF", separator: ":", outputEncoding: "base64" },
      result: "3q2+7w==",
    },
    {
      title: "Bytes as source code has them",
      input: { data: "0x70, 0x65, 0x6e", separator: "auto" },
      result: "pen",
    },
  ],
  run: ({ data, ...options }) => decode(Buffer.from(data), options),
  runBytes: decode,
});

function decode(data: Uint8Array, options: Omit<z.output<typeof input>, "data">): string | Uint8Array {
  const { separator, charset, outputEncoding } = options;
  const bytes = refusingBytes(data, () => decodeHexLayout(data, separator));
  if (outputEncoding === "hex") return bytes.toHex();
  if (outputEncoding === "base64") return bytes.toBase64();
  // UTF-8 stays bytes: who asked for raw bytes gets whatever they are, and the other forms refuse what is no
  // text.
  if (charset === "utf-8") return bytes;
  const text = decodeCharset(bytes, charset);
  if (text !== undefined) return text;
  throw new ToolError("invalid_document", `The decoded bytes are not text in ${charset}.`);
}
