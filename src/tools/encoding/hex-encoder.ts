import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { encodeHex } from "../../lib/hex-layout.ts";
import { dataEncoding, toBytes } from "../bytes.ts";

const input = z.object({
  data: z.string().describe("The text or, with dataEncoding, bytes to encode"),
  dataEncoding,
  separator: z.string().max(8).default("").describe("Separator between bytes, such as a colon or a space"),
  upper: z.boolean().default(false).describe("Use the digits A to F instead of a to f"),
});

export default defineTool({
  slug: "hex-encoder",
  title: "Hex encoder",
  summary: "Encode text or bytes as hexadecimal digits, two per byte.",
  page: {
    tile: "Two digits a byte",
    view: "text",
    options: ["separator", "upper"],
    labels: { data: "Text or file", upper: "Capitals" },
  },
  accepts: "text or bytes",
  aliases:
    "hex, to hex, xxd, xxd -p, hexdump, hexlify, od, text to hex, string to hex, ascii to hex, bytes to hex, bin2hex, hex dump, hex encode, ascii codes, charcode",
  input,
  exact: true,
  examples: [
    { input: { data: "Zażółć" }, result: "5a61c5bcc3b3c582c487" },
    {
      title: "A certificate fingerprint",
      input: { data: "3q2+7w==", dataEncoding: "base64", separator: ":", upper: true },
      result: "DE:AD:BE:EF",
    },
    { title: "Empty input", input: { data: "", separator: ":" }, result: "" },
  ],
  run: ({ data, ...options }) => encode(data, options),
  runBytes: encode,
  runBlocks({ dataEncoding: encoding, separator, upper }) {
    if (encoding !== "utf8") return undefined;
    let begun = false;
    return {
      *write(block) {
        for (let at = 0; at < block.length; at += pieceBytes) {
          if (begun) yield separator;
          yield encodeHex(block.subarray(at, at + pieceBytes), separator, upper);
          begun = true;
        }
      },
      end: () => "",
    };
  },
});

/** Bytes encoded at a time: a separator makes ten of one. */
const pieceBytes = 1024 * 1024;

function encode(data: string | Uint8Array, options: Omit<z.output<typeof input>, "data">): string {
  return encodeHex(toBytes(data, options.dataEncoding), options.separator, options.upper);
}
