import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool, type ToolContext } from "../../catalog/tool.ts";
import { algorithms } from "../../lib/jws/algorithms.ts";
import { addTimes } from "../../lib/jws/claims.ts";
import { readKeys } from "../../lib/jws/keys.ts";
import { signJws } from "../../lib/jws/sign.ts";
import { minifyJsonText } from "../../lib/json/format.ts";
import { parseJsonObject } from "../json-object.ts";
import { now, nowOf } from "../now.ts";
import { allowWeakKey, keyEncoding, toKeyBytes } from "../secret-input.ts";
import { refusingOption } from "../refusing.ts";

const input = z.object({
  data: z.string().max(262_144).describe("The claims, a JSON object; signed as written, without white space"),
  key: z
    .string()
    .max(65_536)
    .meta({ json: "object" })
    .describe("A shared secret, a private key as PEM, or a JWK"),
  keyEncoding: keyEncoding.describe("Encoding of a shared secret in key"),
  algorithm: z
    .enum(algorithms)
    .describe("Signature algorithm, which must fit the key; ES and PS signatures differ each time"),
  allowWeakKey,
  kid: z.string().max(1024).optional().describe("Key id for the header; defaults to that of the JWK"),
  expiresIn: z
    .int()
    .min(1)
    .max(315_360_000)
    .optional()
    .describe("Seconds until the token expires; adds the claim exp, and iat if it is missing"),
  now,
});

export default defineTool({
  slug: "jwt-generator",
  title: "JWT generator",
  version: "1.1.1",
  summary: "Sign claims as a JSON Web Token.",
  page: {
    tile: "Sign claims",
    view: "cards:token",
    options: ["algorithm", "key", "expiresIn"],
    labels: { data: "Claims", key: "Secret or private key", expiresIn: "Expires in (seconds)" },
    start: { algorithm: "HS256" },
  },
  accepts: "claims as JSON",
  aliases:
    "jwt, sign jwt, create jwt, jwt encode, jwt sign, jwt encoder, make token, issue token, jsonwebtoken, generate jwt, hs256, rs256, es256, jwt builder, jws, mint token, service account token",
  input,
  deterministic: false,
  examples: [
    {
      input: {
        data: '{"sub": "ci", "admin": false}',
        key: "a secret of thirty-two bytes or more",
        algorithm: "HS256",
      },
      result:
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJjaSIsImFkbWluIjpmYWxzZX0.Dj41Bz9KUmjnRhX2kYKyue4olXBLqF_D5Hcs9Nff5l0",
    },
    {
      title: "Valid for an hour, with a key id",
      input: {
        data: '{"sub":"ci","id":9007199254740993}',
        key: '{"kty":"oct","kid":"2026-01","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}',
        algorithm: "HS512",
        expiresIn: 3600,
        now: "2026-01-02T03:04:05Z",
      },
      result:
        "eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCIsImtpZCI6IjIwMjYtMDEifQ.eyJzdWIiOiJjaSIsImlkIjo5MDA3MTk5MjU0NzQwOTkzLCJpYXQiOjE3NjczMjMwNDUsImV4cCI6MTc2NzMyNjY0NX0.8TwX_q1N3Z-dhHe5mJ_58OU0UX215UMiA8NrUZKm-rVMk9Y1pKLdeB3opGTwEoHL04p14UVA-SqkqEOVMi_H_A",
    },
  ],
  run: sign,
});

async function sign({ data, ...options }: z.output<typeof input>, context: ToolContext): Promise<string> {
  const secret = toKeyBytes(options.key, options.keyEncoding);
  const [key, ...others] = await refusingOption("key", () => readKeys(options.key, secret, "sign"));
  if (key === undefined || others.length > 0) throw invalidField("key", "Must be one key, not a key set.");
  const claims = parseJsonObject(data);
  if (options.expiresIn !== undefined && Object.hasOwn(claims, "exp"))
    throw invalidField("expiresIn", "The claims have an exp already; give one of both.");
  // The text is signed, not the parsed value, so that numbers beyond 2⁵³ keep their digits.
  const payload = addTimes(minifyJsonText(data), claims, options.expiresIn, nowOf(options, context));
  const rest = { kid: options.kid ?? key.kid, allowShort: options.allowWeakKey };
  return await refusingOption("key", () => signJws(payload, key, options.algorithm, rest));
}
