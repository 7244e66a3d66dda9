import { createHmac } from "node:crypto";

/**
 * Returns the signature of penknife's own scheme: HMAC-SHA-256 of the body exactly as sent, in 64 lower-case
 * hex digits. The key is the secret as written, including `whsec_`, as in `openssl dgst -sha256 -hmac
 * "$secret"`.
 */
export const signBody = (secret: string, body: string | Uint8Array): string => signHex(secret, [body]);

/** Returns the HMAC-SHA-256 of the concatenated parts, in lower-case hex digits. */
export function signHex(secret: string, parts: readonly (string | Uint8Array)[]): string {
  const code = createHmac("sha256", secret);
  for (const part of parts) code.update(part);
  return code.digest("hex");
}
