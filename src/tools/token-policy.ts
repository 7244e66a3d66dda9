import { z } from "zod";
import { invalidField } from "../catalog/input.ts";
import type { Dictionary } from "../lib/data/value.ts";
import { algorithms } from "../lib/jws/algorithms.ts";
import { formatJsonText } from "../lib/json/format.ts";
import { readDictionary } from "./json-value.ts";

/** The fields for what a token must have. */
export const tokenPolicy = {
  algorithms: z
    .array(z.enum(algorithms))
    .min(1)
    .max(14)
    .describe("Algorithms to accept; the token itself is not trusted to choose one"),
  issuer: z.string().max(4096).optional().describe("Required value of iss; not checked by default"),
  audience: z.string().max(4096).optional().describe("Required value of, or in, aud; not checked by default"),
  subject: z.string().max(4096).optional().describe("Required value of sub; not checked by default"),
  type: z
    .string()
    .max(128)
    .optional()
    .describe("Required typ of the header, such as at+jwt; not checked by default"),
  maxAge: z
    .int()
    .min(1)
    .max(315_360_000)
    .optional()
    .describe("Maximum seconds since iat, which is then required; not checked by default"),
  claims: z
    .string()
    .max(65_536)
    .meta({ json: "object" })
    .optional()
    .describe(
      'Required claims with their values, as a JSON object such as {"scope": "admin"}; a list in the token must contain the value',
    ),
  requiredClaims: z
    .array(z.string().min(1).max(256))
    .max(50)
    .default([])
    .describe("Names of claims that must be present, with any value"),
  clockTolerance: z.int().min(0).max(86_400).default(0).describe("Clock skew to tolerate, in seconds"),
  payload: z
    .enum(["claims", "any"])
    .default("claims")
    .describe("Payload: claims, which are validated, or any (JWS), to verify the signature only"),
};

export interface Required {
  required?: Dictionary;
  requiredNames: readonly string[];
}

/** @throws ToolError if the claims are no object, or cannot be checked because the payload need not be claims. */
export function toRequired(options: {
  payload: "claims" | "any";
  claims?: string | undefined;
  requiredClaims: readonly string[];
}): Required {
  const { payload, claims, requiredClaims: requiredNames } = options;
  if (payload === "any" && (claims !== undefined || requiredNames.length > 0)) {
    const name = claims === undefined ? "requiredClaims" : "claims";
    throw invalidField(
      name,
      'A payload of any kind has no claims; set payload to "claims", or leave this out.',
    );
  }
  if (claims === undefined) return { requiredNames };
  return {
    required: readDictionary(claims, "claims", 'an object, such as {"scope": "admin"}'),
    requiredNames,
  };
}

/** The claims of a valid token, for its report. */
export const toDetail = (payload: Uint8Array): { name: string; json: string } => ({
  name: "claims",
  json: formatJsonText(Buffer.from(payload).toString(), { indent: 2 }),
});
