import { createPublicKey, type KeyObject } from "node:crypto";
import { findNumbersWeakness, findPointWeakness, toNumber } from "./weak-keys.ts";

/** Returns why a valid key, or the public half of a private one, gives no security; undefined if it does. */
export function findWeakness(key: KeyObject): string | undefined {
  if (key.asymmetricKeyType === "rsa") return findRsaWeakness(toPublic(key));
  if (key.asymmetricKeyType === "ed25519") return findPointWeakness(readMember(toPublic(key), "x"));
  return undefined;
}

function findRsaWeakness(key: KeyObject): string | undefined {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  // OpenSSL computes with nothing longer either.
  if (bits > 16_384) return `The RSA key is absurdly large: ${bits} bits.`;
  return findNumbersWeakness(toNumber(readMember(key, "n")), toNumber(readMember(key, "e")));
}

const toPublic = (key: KeyObject): KeyObject => (key.type === "private" ? createPublicKey(key) : key);

function readMember(key: KeyObject, name: "n" | "e" | "x"): Buffer {
  return Buffer.from(key.export({ format: "jwk" })[name] ?? "", "base64url");
}
