import { z } from "zod";
import { ToolError } from "../catalog/errors.ts";
import { charsets, decodeCharset } from "../lib/charset.ts";

/** The fields of tools that decode text to bytes, which may or may not be text. */
export const decodedBytes = {
  charset: z
    .enum(charsets)
    .default("utf-8")
    .describe("Character set of the decoded text; the result is always UTF-8"),
  outputEncoding: z
    .enum(["utf8", "hex", "base64"])
    .default("utf8")
    .describe("Encoding of the result: utf8 for text; hex or base64 (standard, padded) for binary data"),
};

type Fields = { [Name in keyof typeof decodedBytes]: z.output<(typeof decodedBytes)[Name]> };

/** @throws ToolError invalid_document if the bytes are not text in the character set. */
export function fromDecodedBytes(
  bytes: Uint8Array,
  { charset, outputEncoding }: Fields,
): string | Uint8Array {
  if (outputEncoding === "hex") return bytes.toHex();
  if (outputEncoding === "base64") return bytes.toBase64();
  // UTF-8 is returned as bytes: the form "bytes" sends them unchanged, and the other forms refuse bytes that are not
  // text.
  if (charset === "utf-8") return bytes;
  const text = decodeCharset(bytes, charset);
  if (text !== undefined) return text;
  throw new ToolError("invalid_document", `The decoded bytes are not text in ${charset}.`);
}
