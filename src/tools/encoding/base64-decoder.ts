import { z } from "zod";
import { defineTool, largestDocument } from "../../catalog/tool.ts";
import { decodeBase64 } from "../../lib/base64/decode.ts";
import { decodedBytes, fromDecodedBytes } from "../decoded-bytes.ts";
import { refusing } from "../refusing.ts";

const input = z.object({
  data: z.string().describe("The base64 text; line breaks are skipped"),
  variant: z
    .enum(["auto", "standard", "url"])
    .default("auto")
    .describe(
      "Alphabet: standard uses + and / and requires padding; url uses - and _, padding is optional; auto selects url if the text contains - or _, so set the variant for tokens that may contain neither",
    ),
  strict: z
    .boolean()
    .default(true)
    .describe("Refuse invalid characters, wrong padding and non-zero trailing bits"),
  ...decodedBytes,
});

export default defineTool({
  slug: "base64-decoder",
  title: "Base64 decoder",
  summary: "Decode base64 or base64url to text or bytes.",
  input,
  whenOff: { strict: "Accept invalid characters, wrong padding and non-zero trailing bits" },
  exact: true,
  examples: [
    { input: { data: "WmHFvMOzxYLEhyDwn5GL" }, result: "Zażółć 👋" },
    {
      title: "Binary data from a URL",
      input: { data: "-_8", outputEncoding: "hex" },
      result: "fbff",
    },
    {
      title: "Text in another character set",
      input: { data: "g1yDXINc", charset: "shift_jis" },
      result: "ソソソ",
    },
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
