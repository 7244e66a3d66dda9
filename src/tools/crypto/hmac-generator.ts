import { createHmac } from "node:crypto";
import { z } from "zod";
import { defineTool, maxDocument } from "../../catalog/tool.ts";
import { digests } from "../../lib/digests.ts";
import { dataEncoding, toBytes } from "../bytes.ts";
import { digestName } from "../digest-name.ts";
import { createDigestRun } from "../digest-run.ts";
import { keyEncoding, toKeyBytes } from "../secret-input.ts";

const input = z.object({
  data: z.string().describe("The text or, with dataEncoding, bytes to sign, exactly as given"),
  dataEncoding,
  key: z.string().max(65_536).describe("The secret key, of any length"),
  keyEncoding,
  algorithm: digestName(digests)
    .default("sha256")
    .describe("Hash function; md5 and sha1 are for legacy protocols only"),
  outputEncoding: z.enum(["hex", "base64", "base64url"]).default("hex").describe("Encoding of the HMAC"),
});

export default defineTool({
  slug: "hmac-generator",
  title: "HMAC generator",
  version: "1.1.0",
  summary: "Compute the HMAC (RFC 2104) of text or bytes under a secret key.",
  page: {
    tile: "HMAC under a secret, all digests",
    view: "digests",
    options: ["key", "keyEncoding", "outputEncoding"],
    labels: { data: "Message", key: "Secret", keyEncoding: "Secret is" },
  },
  accepts: "the message",
  aliases:
    "hmac, hmac-sha256, hmac sha1, openssl dgst -hmac, keyed hash, message authentication code, mac, sign message with secret, hash_hmac, crypto.createhmac, x-hub-signature-256, webhook hmac",
  input,
  examples: [
    {
      input: { data: "what do ya want for nothing?", key: "Jefe" },
      result: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    },
    {
      title: "A binary key",
      input: {
        data: "Hi There",
        key: "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
        keyEncoding: "hex",
        outputEncoding: "base64",
      },
      result: "sDRMYdjbOFNcqK/OrwvxK4gdwgDJgz2nJuk3bC4yz/c=",
    },
  ],
  run: ({ data, ...options }) => sign(data, options),
  maxBytes: maxDocument,
  runBytes: sign,
  runBlocks: (options) =>
    createDigestRun(
      options.dataEncoding,
      () => createHmac(options.algorithm, toKeyBytes(options.key, options.keyEncoding)),
      (state) => state.digest(options.outputEncoding),
    ),
});

function sign(data: string | Uint8Array, options: Omit<z.output<typeof input>, "data">): string {
  const key = toKeyBytes(options.key, options.keyEncoding);
  const bytes = toBytes(data, options.dataEncoding);
  return createHmac(options.algorithm, key).update(bytes).digest(options.outputEncoding);
}
