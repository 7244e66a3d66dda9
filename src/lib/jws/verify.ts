import { load } from "../load.ts";
import { type Algorithm, algorithms, rules } from "./algorithms.ts";
import { findMisuse, type JwsKey } from "./keys.ts";
import type { Jws } from "./split.ts";

/** A fault of a token; a warning does not make it invalid. */
export interface TokenFault {
  rule: string;
  message: string;
  severity?: "warning";
}

/**
 * Verifies the signature of a token under one of the keys. The caller decides which algorithms are allowed:
 * the token's own header is under an attacker's control (RFC 8725 §3.1).
 */
export async function verifySignature(
  jws: Jws,
  keys: readonly JwsKey[],
  allowed: readonly Algorithm[],
): Promise<TokenFault[]> {
  const { alg, kid, crit } = jws.header;
  const algorithm = algorithms.find((one) => one === alg);
  if (algorithm === undefined || !allowed.includes(algorithm)) {
    const named = typeof alg === "string" ? JSON.stringify(alg.slice(0, 32)) : "no algorithm";
    // Never advised for "none", which is no signature at all.
    const advice = algorithm === undefined ? "" : " If you expect it, add it to algorithms.";
    const message = `The token names ${named}; allowed: ${allowed.join(", ")}.${advice}`;
    return [{ rule: "algorithm-not-allowed", message }];
  }
  // RFC 7515 §4.1.11: a critical extension that is not supported must be refused.
  if (crit !== undefined)
    return [
      { rule: "unsupported-crit", message: "The header requires extensions (crit) that are not supported." },
    ];
  // In a set the identifier selects; a single key was selected by the caller.
  const named = keys.length > 1 && typeof kid === "string";
  const candidates = named ? keys.filter((key) => key.kid === undefined || key.kid === kid) : keys;
  if (candidates.length === 0)
    return [
      {
        rule: "no-matching-key",
        message: "The key set has no usable key with the identifier (kid) of the token.",
      },
    ];
  const misuses = candidates.map((key) => findMisuse(key, algorithm, "verify"));
  for (const [index, key] of candidates.entries()) {
    if (misuses[index] === undefined && (await isSignedBy(jws, key, algorithm)))
      return validateSecret(key, algorithm);
  }
  const misuse = misuses.every((one) => one !== undefined) ? misuses[0] : undefined;
  return misuse === undefined
    ? [
        {
          rule: "signature-mismatch",
          message: "The signature does not match this header, payload and key.",
        },
      ]
    : [{ rule: "unsuitable-key", message: misuse }];
}

async function isSignedBy(jws: Jws, { key }: JwsKey, algorithm: Algorithm): Promise<boolean> {
  const { compactVerify } = await load("jose");
  try {
    await compactVerify(jws.parts.join("."), key, { algorithms: [algorithm] });
    return true;
  } catch {
    // Web Crypto rejects a signature of the wrong length or an unsuitable key: not verified.
    return false;
  }
}

function validateSecret({ key, origin }: JwsKey, algorithm: Algorithm): TokenFault[] {
  const { minBytes = 0 } = rules[algorithm];
  if (origin !== "text" || (key.symmetricKeySize ?? 0) >= minBytes) return [];
  const message = `The secret is shorter than the ${minBytes} bytes that ${algorithm} requires (RFC 7518 §3.2): it can be guessed.`;
  return [{ rule: "weak-secret", message, severity: "warning" }];
}
