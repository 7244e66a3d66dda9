import { OptionFault } from "../fault.ts";
import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from "node:crypto";
import { decodeBase64url } from "./base64url.ts";
import { findWeakness } from "../weak-keys.ts";
import { type Algorithm, rules } from "./algorithms.ts";

/** A key with what its JWK says of it; a PEM and a bare secret say nothing. */
export interface JwsKey {
  key: KeyObject;
  kid?: string;
  /** A JWK that names an algorithm is for no other (RFC 7517 §4.4). */
  alg?: string;
  use?: string;
  keyOps?: readonly string[];
  /** A text that somebody thought of, or bytes made for it. */
  origin: "text" | "pem" | "jwk";
}

const maxKeys = 100;

/**
 * Reads keys: a PEM, a JWK, a JWK set or, where `secret` has its bytes, a shared secret. Text that looks like
 * a PEM or a JWK is never a secret: a public key used as one is the oldest forgery there is (algorithm
 * confusion, RFC 8725 §2.1).
 * @throws OptionFault
 */
export function readKeys(text: string, secret: Uint8Array, purpose: "sign" | "verify"): JwsKey[] {
  if (/-----BEGIN [A-Z0-9 ]+-----/.test(text)) return [{ key: readPem(text, purpose), origin: "pem" }];
  if (/^\s*(?:ssh-|ecdsa-sha2-|---- BEGIN )/.test(text))
    throw new OptionFault("This is a public key of SSH; convert it first: ssh-keygen -e -m PKCS8 -f <file>.");
  if (!/^\s*\{/.test(text)) {
    if (secret.length === 0) throw new OptionFault("The key is empty.");
    return [{ key: createSecretKey(secret), origin: "text" }];
  }
  const value = parse(text);
  if (!Array.isArray(value["keys"])) return [readJwk(value, purpose)];
  if (value["keys"].length > maxKeys) throw new OptionFault(`A key set may have ${maxKeys} keys at most.`);
  // RFC 7517 §5: keys of a set that cannot be used are to be passed over.
  return value["keys"].flatMap((one) => {
    try {
      return [readJwk(one as Record<string, unknown>, purpose)];
    } catch (error) {
      if (error instanceof OptionFault) return [];
      throw error;
    }
  });
}

/**
 * Why a key must not be used with an algorithm; undefined where it may.
 * @param allowShort Whether a secret may be shorter than the hash. One that is given as text verifies nevertheless:
 * it was chosen by somebody else, and the verdict warns of it.
 */
export function findMisuse(
  key: JwsKey,
  algorithm: Algorithm,
  operation: "sign" | "verify",
  allowShort = false,
): string | undefined {
  const rule = rules[algorithm];
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key.key;
  const kind = key.key.type === "secret" ? "oct" : type === "rsa" ? "RSA" : type === "ec" ? "EC" : "OKP";
  if (kind !== rule.kty || (kind === "OKP" && type !== "ed25519"))
    return `${algorithm} needs ${needs[rule.kty]}; the key is ${type === undefined ? "a shared secret" : `of type ${type}`}.`;
  if (key.alg !== undefined && key.alg !== algorithm)
    return `The key is for "${shorten(key.alg)}" only, not for ${algorithm}.`;
  if (key.use !== undefined && key.use !== "sig") return "The key is not for signatures (use).";
  if (key.keyOps !== undefined && !key.keyOps.includes(operation))
    return `The key is not for this operation (key_ops lacks ${operation}).`;
  if (kind === "EC" && curves[details?.namedCurve ?? ""] !== rule.curve)
    return `${algorithm} needs a key on the curve ${rule.curve}.`;
  const bits = details?.modulusLength ?? 0;
  if (kind === "RSA" && (bits < 2048 || bits > 8192))
    return `${algorithm} needs an RSA key of 2048 to 8192 bits; this one has ${bits}.`;
  // Every bit of the exponent costs the verifier a multiplication; 65537 has 17.
  if ((details?.publicExponent ?? 0n) >= 1n << 64n) return "The exponent of the RSA key is absurdly large.";
  const strict = !allowShort && (key.origin === "jwk" || operation === "sign");
  const size = key.key.symmetricKeySize ?? 0;
  if (strict && rule.minBytes !== undefined && size < rule.minBytes)
    return `${algorithm} needs a secret of ${rule.minBytes} bytes at least; this one has ${size} and can be guessed (RFC 7518 §3.2).`;
  return findWeakness(key.key);
}

const needs = {
  oct: "a shared secret",
  RSA: "an RSA key",
  EC: "an elliptic curve key",
  OKP: "an Ed25519 key",
};

const curves: Record<string, string> = { prime256v1: "P-256", secp384r1: "P-384", secp521r1: "P-521" };

function readPem(text: string, purpose: "sign" | "verify"): KeyObject {
  try {
    // `createPublicKey` reads certificates and takes the public half of a private key.
    return purpose === "sign" ? createPrivateKey(text) : createPublicKey(text);
  } catch {
    const encrypted = /ENCRYPTED/.test(text) ? " It is encrypted; decrypt it first." : "";
    throw new OptionFault(
      `The PEM holds no ${purpose === "sign" ? "private" : "public"} key that can be read.${encrypted}`,
    );
  }
}

function readJwk(jwk: Record<string, unknown>, purpose: "sign" | "verify"): JwsKey {
  if (typeof jwk !== "object" || jwk === null) throw new OptionFault("A JWK must be a JSON object.");
  const { kid, alg, use } = jwk;
  return {
    key: toKeyObject(jwk, purpose),
    origin: "jwk",
    ...(typeof kid === "string" && { kid }),
    ...(alg !== undefined && { alg: toName(alg) }),
    ...(use !== undefined && { use: toName(use) }),
    ...(Array.isArray(jwk["key_ops"]) && { keyOps: jwk["key_ops"].map(toName) }),
  };
}

function toKeyObject(jwk: Record<string, unknown>, purpose: "sign" | "verify"): KeyObject {
  if (jwk["kty"] === "oct") {
    const secret = typeof jwk["k"] === "string" ? decodeBase64url(jwk["k"]) : undefined;
    if (secret === undefined || secret.length === 0) throw new OptionFault('The JWK has no secret in "k".');
    return createSecretKey(secret);
  }
  if (!["RSA", "EC", "OKP"].includes(jwk["kty"] as string))
    throw new OptionFault('The JWK has no "kty" of oct, RSA, EC or OKP.');
  try {
    return purpose === "sign"
      ? createPrivateKey({ key: jwk, format: "jwk" })
      : createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    throw new OptionFault(
      `The JWK holds no ${purpose === "sign" ? "private" : "public"} key that can be read.`,
    );
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new OptionFault("The key begins like a JWK but is not JSON.");
  }
}

/** What is not a text is nobody's name; `String` would call a `toString` of the document's. */
const toName = (value: unknown): string => (typeof value === "string" ? value : "?");

const shorten = (text: string): string => text.slice(0, 32).replace(/[^\w.-]/g, "?");
