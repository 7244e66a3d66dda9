import { DocumentFault } from "../fault.ts";
import { findBase64Fault } from "./fault.ts";

export interface Base64Options {
  /** "auto" is "url" if `-` or `_` occurs, otherwise "standard". */
  variant?: "auto" | "standard" | "url";
  /** False skips characters outside both alphabets and accepts wrong padding and last bits. */
  strict?: boolean;
}

/**
 * Decodes base64 (RFC 4648 §4 and §5). Strict requires the alphabet of the variant, correct padding (optional
 * in the url variant), zero last bits, and nothing else except line ends, which MIME and PEM insert.
 * @throws DocumentFault with the offset of the fault.
 */
export function decodeBase64(text: Uint8Array, options: Base64Options = {}): Uint8Array {
  const { variant = "auto", strict = true } = options;
  if (text.length > pieceBytes) return decodeInPieces(text, variant, strict);
  const chars = latin1(text);
  if (strict) {
    const standard = variant === "url" ? undefined : decodeFaultless(chars, "standard");
    if (standard !== undefined) return standard;
    const alphabet = variant === "auto" ? detect(chars) : variant;
    const url = alphabet === "url" ? decodeFaultless(chars, "url") : undefined;
    if (url !== undefined) return url;
    const fault = findBase64Fault(text, alphabet);
    if (fault !== undefined) throw new DocumentFault(fault.message, { offset: fault.offset });
    // Buffer's decoder accepts both alphabets and skips line ends; at this point nothing else is left.
    return Buffer.from(chars, "base64");
  }
  const sextets = chars.replaceAll(/[^\w+/-]+/g, "");
  if (sextets.length % 4 === 1) throw leftOver(text);
  return Buffer.from(sextets, "base64");
}

/** Most bytes decoded at once. Longer text is decoded in pieces, because it may not fit into one string. */
const pieceBytes = 16 * 1024 * 1024;

function decodeInPieces(text: Uint8Array, variant: "auto" | "standard" | "url", strict: boolean): Uint8Array {
  if (strict) {
    const alphabet =
      variant !== "auto" ? variant : text.includes(0x2d) || text.includes(0x5f) ? "url" : "standard";
    const fault = findBase64Fault(text, alphabet);
    if (fault !== undefined) throw new DocumentFault(fault.message, { offset: fault.offset });
  }
  const result = Buffer.allocUnsafeSlow(Math.ceil(text.length / 4) * 3);
  let length = 0;
  let left = "";
  for (let at = 0; at < text.length; at += pieceBytes) {
    const sextets = left + latin1(text.subarray(at, at + pieceBytes)).replaceAll(/[^\w+/-]+/g, "");
    const whole = at + pieceBytes < text.length ? sextets.length & ~3 : sextets.length;
    if (whole === sextets.length && whole % 4 === 1) throw leftOver(text);
    length += result.write(sextets.slice(0, whole), length, "base64");
    left = sextets.slice(whole);
  }
  return result.subarray(0, length);
}

const leftOver = (text: Uint8Array): DocumentFault =>
  new DocumentFault("One character is left over at the end: it holds six bits, not a byte.", {
    offset: text.length,
  });

const alphabets = { standard: "base64", url: "base64url" } as const;

/** Decodes faster than searching for a fault; undefined if there is one, or a line end. */
function decodeFaultless(chars: string, variant: "standard" | "url"): Uint8Array | undefined {
  const padded = variant === "url" && !chars.endsWith("=") ? chars + "=".repeat(-chars.length & 3) : chars;
  if (padded.length % 4 !== 0) return undefined;
  const pads = !padded.endsWith("=") ? 0 : padded.endsWith("==") ? 2 : 1;
  // Uninitialized: it is only returned if all of it was written.
  const bytes = Buffer.allocUnsafeSlow((padded.length / 4) * 3 - pads);
  try {
    const { read, written } = bytes.setFromBase64(padded, {
      alphabet: alphabets[variant],
      lastChunkHandling: "strict",
    });
    // The decoder skips white space, which leaves a part unwritten, and ignores text after a complete result.
    return read === padded.length && written === bytes.length ? bytes : undefined;
  } catch {
    return undefined;
  }
}

const detect = (chars: string): "standard" | "url" =>
  chars.includes("-") || chars.includes("_") ? "url" : "standard";

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
