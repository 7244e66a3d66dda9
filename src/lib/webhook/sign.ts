import { createHmac } from "node:crypto";

/**
 * The signature of penknife's own scheme: HMAC-SHA-256 of the body, byte for byte as it is sent, in 64 lower-case hex
 * digits. The key is the secret as it is written, `whsec_` included: what `openssl dgst -sha256 -hmac "$secret"` takes.
 */
export const signBody = (secret: string, body: string | Uint8Array): string => signHex(secret, [body]);

/** HMAC-SHA-256 of the parts one after the other, in lower-case hex digits. */
export function signHex(secret: string, parts: readonly (string | Uint8Array)[]): string {
  const code = createHmac("sha256", secret);
  for (const part of parts) code.update(part);
  return code.digest("hex");
}
