import { z } from "zod";
import { defineTool, largestDocument } from "../../catalog/tool.ts";
import { decodeBase64 } from "../../lib/base64/decode.ts";
import { decodedBytes, fromDecodedBytes } from "../decoded-bytes.ts";
import { refusing } from "../refusing.ts";

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
  ...decodedBytes,
});

export default defineTool({
  slug: "base64-decoder",
  title: "Base64 decoder",
  summary: "Decode base64 or base64url to text or bytes.",
  input,
  whenOff: { strict: "Accept foreign characters, wrong padding and non-zero trailing bits" },
  exact: true,
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
  maxBytes: largestDocument,
  runBytes: decode,
});

function decode(data: Uint8Array, options: Omit<z.output<typeof input>, "data">): string | Uint8Array {
  return fromDecodedBytes(
    refusing(data, () => decodeBase64(data, options)),
    options,
  );
}
