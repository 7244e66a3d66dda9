/**
 * Requirements of a signature algorithm for its key (RFC 7518 §3.1, RFC 8037, RFC 9864). `none` is not
 * included.
 */
export interface AlgorithmRule {
  kty: "oct" | "RSA" | "EC" | "OKP";
  /** Minimum size of a secret in bytes (RFC 7518 §3.2): that of the hash. */
  minBytes?: number;
  curve?: string;
}

export const algorithms = [
  "HS256",
  "HS384",
  "HS512",
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;

export type Algorithm = (typeof algorithms)[number];

export const rules: Readonly<Record<Algorithm, AlgorithmRule>> = {
  HS256: { kty: "oct", minBytes: 32 },
  HS384: { kty: "oct", minBytes: 48 },
  HS512: { kty: "oct", minBytes: 64 },
  RS256: { kty: "RSA" },
  RS384: { kty: "RSA" },
  RS512: { kty: "RSA" },
  PS256: { kty: "RSA" },
  PS384: { kty: "RSA" },
  PS512: { kty: "RSA" },
  ES256: { kty: "EC", curve: "P-256" },
  ES384: { kty: "EC", curve: "P-384" },
  ES512: { kty: "EC", curve: "P-521" },
  EdDSA: { kty: "OKP", curve: "Ed25519" },
  Ed25519: { kty: "OKP", curve: "Ed25519" },
};
