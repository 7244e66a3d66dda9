import { DocumentFault } from "../lib/fault.ts";
import { z } from "zod";
import { invalidField } from "../catalog/input.ts";
import type { ToolContext } from "../catalog/tool.ts";
import { decodeBase64 } from "../lib/base64/decode.ts";
import { decodeHexLayout } from "../lib/hex-layout.ts";
import { createSeededRandom } from "../lib/seeded-random.ts";

/** The field for the encoding of a secret. */
export const keyEncoding = z
  .enum(["utf8", "hex", "base64"])
  .default("utf8")
  .describe("Encoding of the bytes in key: the UTF-8 of the text, hexadecimal digits or base64");

/** The field that permits a secret short enough to be guessed. */
export const allowWeakKey = z
  .boolean()
  .default(false)
  .describe("Allow a secret shorter than the hash (RFC 7518 §3.2), which can be guessed; for tests only");

/** Decodes a secret to bytes. Errors name the field and reveal nothing of its content. */
export function toKeyBytes(key: string, encoding: z.output<typeof keyEncoding>): Uint8Array {
  if (!key.isWellFormed())
    throw invalidField("key", "Half of a surrogate pair stands alone in it, which has no UTF-8.");
  const bytes = Buffer.from(key);
  if (encoding === "utf8") return bytes;
  try {
    return encoding === "hex" ? decodeHexLayout(bytes, "auto") : decodeBase64(bytes);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const wanted = encoding === "hex" ? "hexadecimal digits in pairs" : "base64";
    throw invalidField("key", `Must be ${wanted}; see keyEncoding.`);
  }
}

/** The fields of tools whose result is a secret; a seed must be confirmed with `unsafe`. */
export const secretSeed = {
  seed: z.string().max(1024).optional().describe("Seed for repeatable results, for tests; requires unsafe"),
  unsafe: z
    .boolean()
    .default(false)
    .describe("Allow seed, although anyone who knows the seed can compute the secret"),
};

/** Returns the source of random bytes for a secret. @throws ToolError invalid_input for a seed without `unsafe`. */
export function secretRandom(
  { seed, unsafe }: { seed?: string | undefined; unsafe: boolean },
  context: ToolContext,
): ToolContext["random"] {
  if (seed === undefined) return context.random;
  if (unsafe) return createSeededRandom(seed);
  throw invalidField("seed", "A secret that follows from a seed is none; say unsafe: true if it is a test.");
}
