import { createHmac } from "node:crypto";

/** Returns the version 1 signatures of a header, without the version; others are other schemes. */
export const readSignatures = (header: string): string[] =>
  header
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => one.slice(3));

/** Returns the expected signature of a message in base64, or undefined if the secret is not base64. */
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
