import { z } from "zod";
import { decodeBase64 } from "../lib/base64/decode.ts";
import { decodeHexLayout } from "../lib/hex-layout.ts";
import { findLoneSurrogate } from "../lib/text/well-formed.ts";
import { refuse, refusing, withRemedy } from "./refusing.ts";

/** The field of tools that work on bytes. */
export const dataEncoding = z
  .enum(["utf8", "base64", "hex"])
  .default("utf8")
  .describe("Encoding of the bytes in data: the UTF-8 of the text, base64 or hexadecimal digits");

/** Decodes `data` to bytes. @throws ToolError invalid_document with the place of the fault. */
export function toBytes(data: string | Uint8Array, encoding: z.output<typeof dataEncoding>): Uint8Array {
  // A lone surrogate has no UTF-8; a replacement character would be hashed or encoded in its place.
  if (typeof data === "string" && encoding === "utf8" && !data.isWellFormed())
    throw refuse(
      data,
      { index: findLoneSurrogate(data) },
      "A lone surrogate is not a character; repair the text.",
    );
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  if (encoding === "utf8") return bytes;
  return refusing(bytes, () =>
    withRemedy(
      () => (encoding === "hex" ? decodeHexLayout(bytes, "auto") : decodeBase64(bytes)),
      () => "dataEncoding to utf8 if data is the text itself",
    ),
  );
}
