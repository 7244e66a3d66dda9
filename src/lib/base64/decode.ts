import { DocumentFault } from "../fault.ts";
import { findBase64Fault } from "./fault.ts";

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
    // Buffer's decoder reads both alphabets, skips line ends and, as nothing else is left, cannot guess
    // wrong.
    return Buffer.from(chars, "base64");
  }
  const sextets = chars.replaceAll(/[^\w+/-]+/g, "");
  if (sextets.length % 4 === 1) throw leftOver(text);
  return Buffer.from(sextets, "base64");
}

/**
 * The longest text that is decoded at once. Longer text is decoded in pieces, because it may not fit into one string.
 */
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
