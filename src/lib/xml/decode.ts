import { charsets, decodeCharset } from "../charset.ts";
import { fail } from "./fault.ts";

/** Decodes a document by its byte order mark or its declaration (Appendix F); UTF-8 without either. */
export function decodeXml(bytes: Uint8Array): string {
  const detected = detect(bytes);
  const declared = declaredIn(bytes, detected);
  const charset = toCharset(declared ?? detected);
  if (declared !== undefined && (charset ?? "").startsWith("utf-16") !== detected.startsWith("utf-16"))
    fail(`The document declares the encoding ${declared}, but its bytes are in another one.`, 0, "encoding");
  const known = charsets.find((one) => one === charset);
  if (known === undefined)
    fail(
      `The encoding ${declared ?? detected} is not supported; convert the document to UTF-8.`,
      0,
      "encoding",
    );
  const text = decodeCharset(bytes, detected.startsWith("utf-16") ? (detected as "utf-16le") : known);
  if (text === undefined)
    fail(`The document is not valid ${known}: some of its bytes are not characters.`, 0, "encoding");
  return text;
}

/**
 * Declares UTF-8 instead of the original encoding. A name that production 81 forbids stays, so that it is
 * refused later.
 */
export const declareUtf8 = (text: string): string =>
  text.replace(
    /^(\uFEFF?<\?xml[^>]*?\sencoding\s*=\s*)(["'])(?!utf-?8["'])[A-Z][\w.-]*\2/i,
    (_, before: string, quote: string) => `${before}${quote}UTF-8${quote}`,
  );

function detect(bytes: Uint8Array): string {
  const [a, b, , d] = bytes;
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return "utf-16be";
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && d === 0)) return "utf-16le";
  return "utf-8";
}

function declaredIn(bytes: Uint8Array, detected: string): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 512)).toString("latin1");
  const ascii = detected.startsWith("utf-16") ? head.replaceAll("\0", "") : head;
  return /^(?:ï»¿|ÿþ|þÿ)?<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(ascii)?.[1];
}

function toCharset(label: string): string | undefined {
  const lower = label.toLowerCase();
  if (lower === "utf-16" || lower === "utf-16be") return "utf-16be";
  if (lower === "iso-8859-1" || lower === "latin1") return "iso-8859-1";
  if (lower === "us-ascii" || lower === "ascii") return "utf-8";
  try {
    return new TextDecoder(lower).encoding;
  } catch {
    return undefined;
  }
}
