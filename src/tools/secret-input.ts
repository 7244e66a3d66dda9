import { DocumentFault } from "../lib/fault.ts";
import { z } from "zod";
import { invalidField } from "../catalog/input.ts";
import type { ToolContext } from "../catalog/tool.ts";
import { decodeBase64 } from "../lib/base64/decode.ts";
import { decodeHex } from "../lib/hex.ts";
import { createSeededRandom } from "../lib/seeded-random.ts";

/** The field that says how the text of a secret stands for its bytes. */
export const keyEncoding = z
  .enum(["utf8", "hex", "base64"])
  .default("utf8")
  .describe("How key stands for bytes: as the UTF-8 of the text, or as hexadecimal digits or base64");

/** The field that permits signing with a secret that can be guessed. */
export const allowWeakKey = z
  .boolean()
  .default(false)
  .describe(
    "Whether a secret may be shorter than the hash (RFC 7518 §3.2); it can be guessed, so only for tests",
  );

/** The bytes of a secret. A refusal names the field and shows nothing of what is in it. */
export function toKeyBytes(key: string, encoding: z.output<typeof keyEncoding>): Uint8Array {
  if (!key.isWellFormed())
    throw invalidField("key", "Half of a surrogate pair stands alone in it, which has no UTF-8.");
  const bytes = Buffer.from(key);
  if (encoding === "utf8") return bytes;
  try {
    return encoding === "hex" ? decodeHex(bytes) : decodeBase64(bytes);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const wanted = encoding === "hex" ? "hexadecimal digits in pairs" : "base64 with its padding";
    throw invalidField("key", `Must be ${wanted}; see keyEncoding.`);
  }
}

/** The fields of tools whose result is a secret: repeatable only for those who say that they know. */
export const secretSeed = {
  seed: z
    .string()
    .max(1024)
    .optional()
    .describe("Makes the same every time, for tests; refused unless unsafe is given with it"),
  unsafe: z
    .boolean()
    .default(false)
    .describe("Whether seed may be used: who knows the seed knows the secret"),
};

/** Where the bytes of a secret come from; @throws ToolError invalid_input for a seed that was not meant. */
export function secretRandom(
  { seed, unsafe }: { seed?: string | undefined; unsafe: boolean },
  context: ToolContext,
): ToolContext["random"] {
  if (seed === undefined) return context.random;
  if (unsafe) return createSeededRandom(seed);
  throw invalidField("seed", "A secret that follows from a seed is none; say unsafe: true if it is a test.");
}
