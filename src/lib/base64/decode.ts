import { findBase64Fault } from "./fault.ts";
import { EncodingError } from "../encoding-error.ts";

export interface Base64Options {
  /** "auto" is "url" where `-` or `_` occurs, otherwise "standard". */
  variant?: "auto" | "standard" | "url";
  /** False skips whatever is not in either alphabet and forgives padding and last bits. */
  strict?: boolean;
}

/**
 * The bytes that base64 (RFC 4648 §4 and §5) stands for. Strict means: the alphabet of the variant, right
 * padding (which the url variant may leave out), last bits that are zero, and nothing else but line ends,
 * which MIME and PEM put in.
 * @throws EncodingError with the offset of the fault.
 */
export function decodeBase64(text: Uint8Array, options: Base64Options = {}): Uint8Array {
  const { variant = "auto", strict = true } = options;
  if (strict) {
    const fault = findBase64Fault(text, variant === "auto" ? detect(text) : variant);
    if (fault !== undefined) throw new EncodingError(fault.message, fault.offset);
    // Buffer's decoder reads both alphabets, skips line ends and, as nothing else is left, cannot guess
    // wrong.
    return Buffer.from(latin1(text), "base64");
  }
  const sextets = latin1(text).replaceAll(/[^\w+/-]+/g, "");
  if (sextets.length % 4 === 1) {
    throw new EncodingError(
      "One character is left over at the end: it holds six bits, not a byte.",
      text.length,
    );
  }
  return Buffer.from(sextets, "base64");
}

function detect(text: Uint8Array): "standard" | "url" {
  return text.includes(0x2d) || text.includes(0x5f) ? "url" : "standard";
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
