import { createHmac } from "node:crypto";

/** The signatures of version 1 in a header, without the version; others are other schemes. */
export const readSignatures = (header: string): string[] =>
  header
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => one.slice(3));

/** The signature that a message ought to have, in base64; undefined where the secret is no base64. */
export function signatureOf(
  secret: string,
  id: string,
  timestamp: string,
  payload: Uint8Array,
): string | undefined {
  const text = secret.replace(/^whsec_/, "");
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(text)) return undefined;
  const key = Buffer.from(text, "base64");
  if (key.length === 0) return undefined;
  return createHmac("sha256", key).update(`${id}.${timestamp}.`).update(payload).digest("base64");
}
