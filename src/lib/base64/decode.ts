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
    const seen = detect(text);
    const alphabet = variant === "auto" ? seen : variant;
    const bytes = alphabet === "standard" && seen === "url" ? undefined : decodeFaultless(text, alphabet);
    if (bytes !== undefined) return bytes;
    const fault = findBase64Fault(text, alphabet);
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

/** Faster than looking for a fault; undefined where there is one, or a line end. Standard base64 has no - and _ by now. */
function decodeFaultless(text: Uint8Array, variant: "standard" | "url"): Uint8Array | undefined {
  const pads = text.at(-1) !== 0x3d ? 0 : text.at(-2) !== 0x3d ? 1 : 2;
  const sextets = text.length - pads;
  const rest = sextets % 4;
  if (rest === 1 || (pads !== (4 - rest) % 4 && (pads > 0 || variant === "standard"))) return undefined;
  if (variant === "url" && (text.includes(0x2b) || text.includes(0x2f))) return undefined;
  const bytes = Buffer.from(latin1(text), "base64");
  // Buffer skips what is no base64 or stops there, which makes the result shorter.
  if (bytes.length !== Math.floor((sextets * 3) / 4)) return undefined;
  if (rest === 0) return bytes;
  // The last bits are zero where the last bytes are written the same way again.
  const last = bytes.subarray(1 - rest).toString(variant === "url" ? "base64url" : "base64");
  return latin1(text.subarray(sextets - rest, sextets)) === last.slice(0, rest) ? bytes : undefined;
}

function detect(text: Uint8Array): "standard" | "url" {
  return text.includes(0x2d) || text.includes(0x5f) ? "url" : "standard";
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
