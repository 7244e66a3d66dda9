import { z } from "zod";
import { defineTool, maxDocument } from "../../catalog/tool.ts";
import {
  type Base64Layout,
  createBase64Encoder,
  encodeBase64,
  encodeBase64Bytes,
} from "../../lib/base64/encode.ts";
import { dataEncoding, toBytes } from "../bytes.ts";

const input = z.object({
  data: z.string().describe("The text or, with dataEncoding, bytes to encode"),
  dataEncoding,
  variant: z
    .enum(["standard", "url"])
    .default("standard")
    .describe(
      "Alphabet: standard uses + and / (RFC 4648 §4), url uses - and _ (§5), which are safe in URLs and file names",
    ),
  padding: z
    .boolean()
    .optional()
    .describe("Pad the result with =; defaults to true for standard and false for url"),
  lineLength: z
    .int()
    .min(0)
    .max(76)
    .multipleOf(4)
    .default(0)
    .describe("Characters per line, a multiple of 4: 76 for MIME, 64 for PEM, 0 for a single line"),
});

export default defineTool({
  slug: "base64-encoder",
  title: "Base64 encoder",
  summary: "Encode text or bytes as base64 or base64url.",
  page: {
    tile: "Text or a file to base64",
    view: "text",
    options: ["variant", "padding", "lineLength"],
    labels: {
      data: "Text or file",
      variant: "Alphabet",
      "variant=url": "For URLs",
      lineLength: "Line length",
      padding: "Padding",
    },
  },
  accepts: "text or bytes",
  aliases:
    "base64, b64, base64 -w0, btoa, to base64, encode base64, base64url, b64encode, text to base64, file to base64, image to base64, data uri, basic auth header, basic authentication, openssl base64, authorization: basic",
  input,
  exact: true,
  examples: [
    { input: { data: "Zażółć 👋" }, result: "WmHFvMOzxYLEhyDwn5GL" },
    {
      title: "Binary data for a URL",
      input: { data: "fbff", dataEncoding: "hex", variant: "url" },
      result: "-_8",
    },
    {
      title: "Wrapped lines",
      input: { data: "the quick brown fox", lineLength: 16 },
      result: "dGhlIHF1aWNrIGJy\nb3duIGZveA==",
    },
  ],
  run: ({ data, ...options }) => encodeBase64(toBytes(data, options.dataEncoding), toLayout(options)),
  maxBytes: maxDocument,
  runBytes: (data, options) => encodeBase64Bytes(toBytes(data, options.dataEncoding), toLayout(options)),
  runBlocks({ dataEncoding: encoding, ...options }) {
    if (encoding !== "utf8") return undefined;
    const { write, end } = createBase64Encoder(toLayout(options));
    return { write, end: () => Buffer.concat(end()) };
  },
});

function toLayout({
  variant,
  padding,
  lineLength,
}: Omit<z.output<typeof input>, "data" | "dataEncoding">): Base64Layout {
  return { variant, padding: padding ?? variant === "standard", lineLength };
}
