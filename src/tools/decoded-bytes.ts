import { z } from "zod";
import { ToolError } from "../catalog/errors.ts";
import type { BlockRun } from "../catalog/tool.ts";
import { createBase64Encoder } from "../lib/base64/encode.ts";
import { charsets, decodeCharset } from "../lib/charset.ts";
import { createPartRun } from "./part-run.ts";

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

/** Decodes a document that arrives in parts. */
interface PartDecoder {
  cut(bytes: Uint8Array): number;
  /** @throws ToolError with its place in the part */
  decode(part: Uint8Array): Uint8Array;
}

/** Makes a run over blocks of what decodes parts; undefined for a character set whose characters may begin in one part and end in the next. */
export function createDecodingRun(
  slug: string,
  { cut, decode }: PartDecoder,
  { charset, outputEncoding }: Fields,
): BlockRun | undefined {
  if (outputEncoding === "utf8" && charset !== "utf-8") return undefined;
  const base64 = createBase64Encoder({ variant: "standard", padding: true, lineLength: 0 });
  return createPartRun(slug, {
    cut,
    *write(part) {
      const bytes = decode(part);
      if (outputEncoding === "base64") yield* base64.write(bytes);
      else yield outputEncoding === "hex" ? bytes.toHex() : bytes;
    },
    *last(part) {
      yield* this.write(part);
      if (outputEncoding === "base64") yield* base64.end();
    },
  });
}

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
