import { DocumentFault, OptionFault } from "../../lib/fault.ts";
import { z } from "zod";
import { type Report, toReport } from "../../catalog/report.ts";
import { defineTool, type ToolContext } from "../../catalog/tool.ts";
import { validateClaims, validateType } from "../../lib/jws/claims.ts";
import { readKeys } from "../../lib/jws/keys.ts";
import { bareToken, splitJws } from "../../lib/jws/split.ts";
import { verifySignature } from "../../lib/jws/verify.ts";
import { now, nowOf } from "../now.ts";
import { toDetail, tokenPolicy, toRequired } from "../token-policy.ts";
import { keyEncoding, toKeyBytes } from "../secret-input.ts";
import { findingOf } from "../findings.ts";

const input = z.object({
  data: z
    .string()
    .max(1_048_576)
    .describe(
      "The token: three base64url parts joined by dots, optionally preceded by Bearer or Authorization",
    ),
  key: z.string().max(262_144).meta({ json: "object" }).describe("A shared secret, PEM key, JWK or JWK set"),
  keyEncoding: keyEncoding.describe("Encoding of a shared secret in key"),
  ...tokenPolicy,
  now,
});

export default defineTool({
  slug: "jwt-verifier",
  title: "JWT verifier",
  version: "1.3.0",
  summary: "Verify the signature and the claims of a JSON Web Token, and return its claims.",
  page: {
    tile: "Signature and claims",
    view: "verdict+cards:jwt",
    options: ["algorithms", "key", "issuer", "audience"],
    labels: { data: "Token", key: "Secret or public key", algorithms: "Algorithms" },
  },
  accepts: "a JSON Web Token",
  aliases:
    "jwt, verify jwt, validate jwt, jwt verify, jwt signature, jwks, jwk set, token expired, check token signature, id token validation, oidc token, verify access token, jwt validator, invalid signature, jose verify, token audience",
  input,
  deterministic: false,
  check: "report",
  examples: [
    {
      input: {
        data: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJjaSIsImFkbWluIjpmYWxzZX0.Dj41Bz9KUmjnRhX2kYKyue4olXBLqF_D5Hcs9Nff5l0",
        key: "a secret of thirty-two bytes or more",
        algorithms: ["HS256"],
        now: "2026-01-02T03:04:05Z",
      },
      result:
        '{\n  "valid": true,\n  "errors": [],\n  "claims": {\n    "sub": "ci",\n    "admin": false\n  }\n}',
    },
    {
      title: "A token with the algorithm none",
      input: {
        data: "eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb290In0.",
        key: "a secret of thirty-two bytes or more",
        algorithms: ["HS256"],
      },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The token names \\"none\\"; allowed: HS256.",\n      "severity": "error",\n      "rule": "algorithm-not-allowed",\n      "line": 1,\n      "column": 1,\n      "offset": 0,\n      "pointer": ""\n    }\n  ]\n}',
    },
  ],
  run: verify,
});

async function verify({ data, ...options }: z.output<typeof input>, context: ToolContext): Promise<Report> {
  const secret = toKeyBytes(options.key, options.keyEncoding);
  const policy = { ...options, ...toRequired(options), now: nowOf(options, context) / 1000 };
  try {
    const keys = readKeys(options.key, secret, "verify");
    const jws = splitJws(bareToken(data));
    const faults = await verifySignature(jws, keys, options.algorithms);
    if (options.type !== undefined) faults.push(...validateType(jws.header, options.type));
    if (options.payload === "claims") faults.push(...validateClaims(jws.payload, policy));
    const report = toReport(faults.map(({ rule, message, severity }) => findingOf(rule, message, severity)));
    // The claims of an invalid token are left out: a caller who reads them might skip the verdict.
    return report.valid && options.payload === "claims"
      ? { ...report, detail: toDetail(jws.payload) }
      : report;
  } catch (error) {
    if (error instanceof DocumentFault) return toReport([findingOf("malformed-token", error.message)]);
    if (error instanceof OptionFault) return toReport([findingOf("unusable-key", error.message)]);
    throw error;
  }
}
