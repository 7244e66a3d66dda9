import { z } from "zod";
import { ToolError } from "../../catalog/errors.ts";
import { defineTool } from "../../catalog/tool.ts";
import { decodeBase64 } from "../../lib/base64/decode.ts";
import { charsets, decodeCharset } from "../../lib/charset.ts";
import { refusingBytes } from "../bytes.ts";

const input = z.object({
  data: z.string().describe("The base64 text; line ends in it are skipped"),
  variant: z
    .enum(["auto", "standard", "url"])
    .default("auto")
    .describe(
      "standard has + and / and needs its padding; url has - and _ and may leave padding out; auto is url where - or _ occurs, so name the variant where tokens may have neither",
    ),
  strict: z
    .boolean()
    .default(true)
    .describe("Whether foreign characters, wrong padding and non-zero last bits are refused or forgiven"),
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
  slug: "base64-decoder",
  title: "Base64 decoder",
  summary: "Decode base64 or base64url to text or bytes.",
  input,
  examples: [
    { input: { data: "WmHFvMOzxYLEhyDwn5GL" }, result: "Zażółć 👋" },
    {
      title: "Bytes that are not text, from a URL",
      input: { data: "-_8", outputEncoding: "hex" },
      result: "fbff",
    },
    { title: "Text of another charset", input: { data: "g1yDXINc", charset: "shift_jis" }, result: "ソソソ" },
  ],
  run: ({ data, ...options }) => decode(Buffer.from(data), options),
  runBytes: decode,
});

function decode(data: Uint8Array, options: Omit<z.output<typeof input>, "data">): string | Uint8Array {
  const { charset, outputEncoding } = options;
  const bytes = refusingBytes(data, () => decodeBase64(data, options));
  if (outputEncoding === "hex") return bytes.toHex();
  if (outputEncoding === "base64") return bytes.toBase64();
  // UTF-8 stays bytes: who asked for raw bytes gets whatever they are, and the other forms refuse what is no
  // text.
  if (charset === "utf-8") return bytes;
  const text = decodeCharset(bytes, charset);
  if (text !== undefined) return text;
  throw new ToolError("invalid_document", `The decoded bytes are not text in ${charset}.`);
}
