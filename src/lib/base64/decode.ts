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
  const chars = latin1(text);
  if (strict) {
    const standard = variant === "url" ? undefined : decodeFaultless(chars, "standard");
    if (standard !== undefined) return standard;
    const alphabet = variant === "auto" ? detect(chars) : variant;
    const url = alphabet === "url" ? decodeFaultless(chars, "url") : undefined;
    if (url !== undefined) return url;
    const fault = findBase64Fault(text, alphabet);
    if (fault !== undefined) throw new EncodingError(fault.message, fault.offset);
    // Buffer's decoder reads both alphabets, skips line ends and, as nothing else is left, cannot guess
    // wrong.
    return Buffer.from(chars, "base64");
  }
  const sextets = chars.replaceAll(/[^\w+/-]+/g, "");
  if (sextets.length % 4 === 1) {
    throw new EncodingError(
      "One character is left over at the end: it holds six bits, not a byte.",
      text.length,
    );
  }
  return Buffer.from(sextets, "base64");
}

const alphabets = { standard: "base64", url: "base64url" } as const;

/** Faster than looking for a fault; undefined where there is one, or a line end. */
function decodeFaultless(chars: string, variant: "standard" | "url"): Uint8Array | undefined {
  const padded = variant === "url" && !chars.endsWith("=") ? chars + "=".repeat(-chars.length & 3) : chars;
  if (padded.length % 4 !== 0) return undefined;
  const pads = !padded.endsWith("=") ? 0 : padded.endsWith("==") ? 2 : 1;
  // Not cleared before: nobody sees it unless all of it was written.
  const bytes = Buffer.allocUnsafeSlow((padded.length / 4) * 3 - pads);
  try {
    const { read, written } = bytes.setFromBase64(padded, {
      alphabet: alphabets[variant],
      lastChunkHandling: "strict",
    });
    // White space of every kind is skipped, which leaves a part unwritten; what follows a full part is not looked at.
    return read === padded.length && written === bytes.length ? bytes : undefined;
  } catch {
    return undefined;
  }
}

const detect = (chars: string): "standard" | "url" =>
  chars.includes("-") || chars.includes("_") ? "url" : "standard";

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
