import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { encodeHex } from "../../lib/hex-layout.ts";
import { dataEncoding, toBytes } from "../bytes.ts";

const input = z.object({
  data: z.string().describe("The text or, with dataEncoding, the bytes to encode"),
  dataEncoding,
  separator: z
    .string()
    .max(8)
    .default("")
    .describe("What stands between two bytes, such as a colon or a space"),
  upper: z.boolean().default(false).describe("Whether the digits above 9 are A to F instead of a to f"),
});

export default defineTool({
  slug: "hex-encoder",
  title: "Hex encoder",
  summary: "Write text or bytes as hexadecimal digits, two for each byte.",
  input,
  exact: true,
  examples: [
    { input: { data: "Zażółć" }, result: "5a61c5bcc3b3c582c487" },
    {
      title: "A fingerprint, as certificates show it",
      input: { data: "3q2+7w==", dataEncoding: "base64", separator: ":", upper: true },
      result: "DE:AD:BE:EF",
    },
    { title: "Nothing is nothing", input: { data: "", separator: ":" }, result: "" },
  ],
  run: ({ data, ...options }) => encode(data, options),
  runBytes: encode,
});

function encode(data: string | Uint8Array, options: Omit<z.output<typeof input>, "data">): string {
  return encodeHex(toBytes(data, options.dataEncoding), options.separator, options.upper);
}
