import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { drawTokens } from "../../lib/random/token.ts";
import { secretRandom, secretSeed } from "../secret-input.ts";

const input = z.object({
  bytes: z.int().min(8).max(1024).default(32).describe("Bytes of randomness; 16 are enough for a secret"),
  encoding: z
    .enum(["hex", "base64url", "base62"])
    .default("hex")
    .describe("How they are written; base62 has letters and digits only"),
  prefix: z
    .string()
    .max(64)
    .regex(/^[\w.~-]*$/, "Must be letters, digits and . _ ~ - only.")
    .default("")
    .describe("What every token begins with, so that a leaked one is known for what it is"),
  checksum: z
    .boolean()
    .default(false)
    .describe("Whether six base62 characters of the CRC-32 of all before them follow"),
  count: z.int().min(1).max(1000).default(1).describe("How many, one a line"),
  ...secretSeed,
});

export default defineTool({
  slug: "token-generator",
  title: "Token generator",
  summary: "Generate random secrets for API keys and sessions, with a prefix and a checksum if wanted.",
  input,
  deterministic: false,
  // A thousand of the greatest length take a while.
  isolate: "thread",
  examples: [
    {
      input: { seed: "golden file", unsafe: true },
      result: "167a7ec7e06549fd34cebb55436402a6cca0f6b0342e51f0f9d4e37bb8f35f28",
    },
    {
      title: "An API key that a secret scanner recognizes",
      input: {
        encoding: "base62",
        bytes: 22,
        prefix: "acme_live_",
        checksum: true,
        seed: "golden file",
        unsafe: true,
      },
      result: "acme_live_My2DcdBqK1N5c2gIayqqkJsQfzyvXe1re1sy",
    },
  ],
  run: ({ count, seed, unsafe, ...shape }, context) =>
    drawTokens(count, shape, secretRandom({ seed, unsafe }, context)).join("\n"),
});
