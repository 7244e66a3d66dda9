import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { drawTokens } from "../../lib/random/token.ts";
import { secretRandom, secretSeed } from "../secret-input.ts";

const input = z.object({
  bytes: z
    .int()
    .min(8)
    .max(1024)
    .default(32)
    .describe("Bytes of randomness in each token; 16 are enough for a secret"),
  encoding: z
    .enum(["hex", "base64url", "base62"])
    .default("hex")
    .describe("Encoding of the random bytes; base62 uses letters and digits only"),
  prefix: z
    .string()
    .max(64)
    .regex(/^[\w.~-]*$/, "Must be letters, digits and . _ ~ - only.")
    .default("")
    .describe("Prefix of every token, by which secret scanners recognize a leaked one"),
  checksum: z.boolean().default(false).describe("Append the CRC-32 of the token as six base62 characters"),
  count: z.int().min(1).max(1000).default(1).describe("Number to generate, one per line"),
  ...secretSeed,
});

export default defineTool({
  slug: "token-generator",
  title: "Token generator",
  summary: "Generate random secrets for API keys and sessions, with an optional prefix and checksum.",
  page: {
    tile: "API keys with prefix and checksum",
    layout: "generate",
    view: "value:strength",
    options: ["bytes", "encoding", "prefix", "count"],
  },
  aliases:
    "api key, random token, pwgen -s, secret key, random string, openssl rand, openssl rand -hex 32, generate secret, session secret, jwt secret, random hex, random bytes, secrets.token_hex, bearer token generator, csrf token, client secret, webhook secret, /dev/urandom, crypto.randombytes",
  input,
  deterministic: false,
  // A thousand tokens of the maximum length are too many for the event loop.
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
