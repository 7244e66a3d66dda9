import { DocumentFault, unlessFault } from "../fault.ts";
import { endOfGroups, findBase64Fault } from "./fault.ts";

export interface Base64Options {
  /** "auto" accepts both alphabets; with `strict`, it is "url" if `-` or `_` occurs, otherwise "standard". */
  variant?: "auto" | "standard" | "url";
  /** Accepts line ends only, no other white space, and refuses missing padding and data: URLs. */
  strict?: boolean;
  /** Skips whatever is not of either alphabet, and ignores padding and the last bits. */
  skipInvalid?: boolean;
}

/**
 * Decodes base64 (RFC 4648 §4 and §5) as people paste it: with white space, without padding, or in a data: URL. Strict
 * requires the alphabet of the variant and correct padding (optional in the url variant), and allows nothing else except
 * line ends, which MIME and PEM insert. The last bits must be zero.
 * @throws DocumentFault with the offset of the fault.
 */
export function decodeBase64(text: Uint8Array, options: Base64Options = {}): Uint8Array {
  const { variant = "auto", strict = false, skipInvalid = false } = options;
  const pasted = strict || skipInvalid ? text : withoutArmour(withoutDataUrl(text));
  if (pasted.length > pieceBytes) {
    if (!skipInvalid) refuseFault(pasted, variant, strict);
    return decodeInPieces(pasted);
  }
  const chars = latin1(pasted);
  if (!skipInvalid) {
    const standard = variant === "url" ? undefined : decodeFaultless(chars, "standard");
    if (standard !== undefined) return standard;
    const url = toAlphabet(pasted, variant) === "url" ? decodeFaultless(chars, "url") : undefined;
    if (url !== undefined) return url;
    refuseFault(pasted, variant, strict);
    // Buffer's decoder accepts both alphabets and skips white space; at this point nothing else is left.
    return Buffer.from(chars, "base64");
  }
  return decodeSkipping(text);
}

function decodeSkipping(text: Uint8Array): Uint8Array {
  const sextets = latin1(text).replaceAll(/[^\w+/-]+/g, "");
  if (sextets.length % 4 === 1) throw leftOver(text);
  return Buffer.from(sextets, "base64");
}

/** Decodes a text that arrives in parts. */
export interface Base64Parts {
  /** Returns the length of what can be decoded without what follows, 0 if nothing can. */
  cut(bytes: Uint8Array): number;
  /** Decodes a part. @throws DocumentFault with the offset of the fault in the part. */
  decode(part: Uint8Array): Uint8Array;
}

/**
 * Returns what decodes parts to what `decodeBase64` returns for all of them; undefined if the alphabet depends on all of the text. A data: URL
 * and a block of PEM are one part.
 */
export function createBase64Parts(options: Base64Options): Base64Parts | undefined {
  const { variant = "auto", strict = false, skipInvalid = false } = options;
  if (strict && !skipInvalid && variant === "auto") return undefined;
  const alphabet = variant === "auto" ? "any" : variant;
  /** Whether the text is known to be neither a data: URL nor PEM. */
  let isPlain = strict || skipInvalid;
  return {
    cut(bytes) {
      if (!isPlain && (bytes.length < headBytes || isWrapped(bytes))) return 0;
      isPlain = true;
      return endOfGroups(bytes, alphabet, skipInvalid ? "skipped" : "fault");
    },
    decode(part) {
      if (!isPlain) return decodeBase64(part, options);
      if (skipInvalid) return decodeSkipping(part);
      refuseFault(part, variant, strict);
      return Buffer.from(latin1(part), "base64");
    },
  };
}

function refuseFault(text: Uint8Array, variant: "auto" | "standard" | "url", strict: boolean): void {
  const alphabet = strict ? toAlphabet(text, variant) : variant;
  const fault = findBase64Fault(text, alphabet === "auto" ? "any" : alphabet, strict);
  if (fault !== undefined) throw new DocumentFault(fault.message, { offset: fault.offset });
}

/** Returns the options that would accept a refused text, as in "strict to false"; undefined if none would. */
export function findBase64Remedy(text: Uint8Array, options: Base64Options): string | undefined {
  if (text.length > pieceBytes) return undefined;
  const remedies: [string, Base64Options][] = [
    ["strict to false", { strict: false }],
    ["variant to auto", { variant: "auto" }],
    ["strict to false and variant to auto", { strict: false, variant: "auto" }],
    ["skipInvalid to true", { skipInvalid: true }],
  ];
  return remedies.find(([, remedy]) => accepts(text, { ...options, ...remedy }))?.[0];
}

const accepts = (text: Uint8Array, options: Base64Options): boolean =>
  unlessFault(() => decodeBase64(text, options)) !== undefined;

const toAlphabet = (text: Uint8Array, variant: "auto" | "standard" | "url"): "standard" | "url" =>
  variant !== "auto" ? variant : text.includes(0x2d) || text.includes(0x5f) ? "url" : "standard";

/**
 * Replaces the beginning of a data: URL (RFC 2397) with line ends, which the decoder skips: offsets stay valid. The
 * characters that such a URL may escape are unescaped.
 */
function withoutDataUrl(text: Uint8Array): Uint8Array {
  const head = dataUrl.exec(latin1(text.subarray(0, headBytes)))?.[0];
  if (head === undefined) return text;
  if (!/;\s*base64\s*,$/i.test(head))
    throw new DocumentFault("This data: URL is not in base64; url-decoder decodes what follows its comma.", {
      offset: 0,
    });
  const result = Uint8Array.from(text).fill(lineEnd, 0, head.length);
  for (let at = result.indexOf(percent, head.length); at >= 0; at = result.indexOf(percent, at + 1)) {
    const character = escaped.get(latin1(result.subarray(at + 1, at + 3)).toUpperCase());
    if (character !== undefined) result.set([character, lineEnd, lineEnd], at);
  }
  return result;
}

/**
 * Replaces the first and last line of a PEM block (RFC 7468 §2), `-----BEGIN CERTIFICATE-----` and its END, with line ends, which the decoder
 * skips: offsets stay valid.
 */
function withoutArmour(text: Uint8Array): Uint8Array {
  const head = armour.exec(latin1(text.subarray(0, 250)))?.[0];
  if (head === undefined) return text;
  const end = /-----END [^\r\n-]{1,100}-----\s{0,100}$/.exec(latin1(text.subarray(-250)))?.[0];
  if (end === undefined) return text;
  return Uint8Array.from(text)
    .fill(lineEnd, 0, head.length)
    .fill(lineEnd, text.length - end.length);
}

const isWrapped = (text: Uint8Array): boolean => {
  const head = latin1(text.subarray(0, headBytes));
  return dataUrl.test(head) || armour.test(head);
};

/** Most bytes up to the text of a data: URL. */
const headBytes = 1200;
const dataUrl = /^\s{0,100}data:[^,]{0,1000},/i;
const armour = /^\s{0,100}-----BEGIN [^\r\n-]{1,100}-----\r?\n/;

const lineEnd = 0x0a;
const percent = 0x25;
/** `+`, `/`, `=` and line ends. */
const escaped = new Map(["2B", "2F", "3D", "0A", "0D"].map((hex) => [hex, Number.parseInt(hex, 16)]));

/** Most bytes decoded at once. Longer text is decoded in pieces, because it may not fit into one string. */
const pieceBytes = 16 * 1024 * 1024;

/** Decodes text that has no fault, or whose faults are skipped. */
function decodeInPieces(text: Uint8Array): Uint8Array {
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

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
