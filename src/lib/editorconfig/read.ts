import { isUtf8 } from "node:buffer";
import type { Charset } from "./check.ts";

/** Bytes that are searched for a zero, as Git does. */
const searched = 8000;

/** Reads the bytes of a file as text, by its byte order mark or as UTF-8, otherwise byte by byte; undefined for a binary file. */
export function readStyled(bytes: Uint8Array): { text: string; charset: Charset } | undefined {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return { text: decode(bytes, "utf-16le"), charset: "utf-16le" };
  if (first === 0xfe && second === 0xff) return { text: decode(bytes, "utf-16be"), charset: "utf-16be" };
  if (bytes.subarray(0, searched).includes(0)) return undefined;
  if (!isUtf8(bytes)) return { text: Buffer.from(bytes).toString("latin1"), charset: "latin1" };
  const marked = first === 0xef && second === 0xbb && third === 0xbf;
  return { text: Buffer.from(bytes).toString(), charset: marked ? "utf-8-bom" : "utf-8" };
}

function decode(bytes: Uint8Array, charset: "utf-16le" | "utf-16be"): string {
  const even = Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)));
  return (charset === "utf-16be" ? even.swap16() : even).toString("utf16le").toWellFormed();
}
