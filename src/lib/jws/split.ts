import { DocumentFault } from "../fault.ts";
import { isUtf8 } from "node:buffer";
import { validateJson } from "../json/validate.ts";
import { decodeBase64url } from "./base64url.ts";

/** A parsed token; nothing in it is verified. */
export interface Jws {
  header: Record<string, unknown>;
  /** The JSON text of the header as written. */
  headerText: string;
  payload: Buffer;
  signature: Buffer;
  /** The three parts as received. */
  parts: [string, string, string];
}

/**
 * Parses a token in the compact serialization (RFC 7515 §7.1).
 * @throws DocumentFault
 */
export function splitJws(token: string): Jws {
  const parts = token.split(".", 6);
  if (parts.length === 5)
    throw new DocumentFault("The token is encrypted (JWE, five parts); only its recipient can read it.", {
      index: 0,
    });
  if (parts.length !== 3)
    throw new DocumentFault(
      `Expected three parts joined by dots, found ${parts.length === 6 ? "more than five" : parts.length}.`,
      { index: 0 },
    );
  const [header, payload, signature] = parts as [string, string, string];
  const headerBytes = decode("header", header, 0);
  const payloadAt = header.length + 1;
  return {
    header: toHeader(headerBytes),
    headerText: headerBytes.toString(),
    payload: decode("payload", payload, payloadAt),
    signature: decode("signature", signature, payloadAt + payload.length + 1),
    parts: [header, payload, signature],
  };
}

/** Returns a token without what precedes it in a header, `Authorization: Bearer`, and without quotes around it. */
export function bareToken(text: string): string {
  const token = text.replace(/^\s*(?:authorization:)?\s*(?:bearer\s+)?/i, "").trimEnd();
  return /^"[^"]*"$/.test(token) ? token.slice(1, -1) : token;
}

/**
 * Returns a token for reading, without the rest of a cookie, and without the line ends at which a terminal or an e-mail wrapped it; of another text,
 * such as a command or the answer of a server, the only token in it. Never for verifying: a token has one spelling.
 */
export function pastedToken(text: string): string {
  const token = bareToken(text);
  const [, cookie] =
    /^(?:(?:set-)?cookie:\s*)?(?:[^=;\s]+=[^;\s]*;\s*)*[^=;\s.]+=([\w-]+\.[\w-]+\.[\w-]*)(?:;|$)/i.exec(
      token,
    ) ?? [];
  if (cookie !== undefined) return cookie;
  const joined = token.replaceAll(/\s*\r?\n\s*/g, "");
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(joined)) return joined;
  const all = new Set(token.match(/(?<![\w.-])eyJ[\w-]+\.[\w-]+\.[\w-]*(?![\w.-])/g));
  const [only = token] = all;
  return all.size === 1 ? only : token;
}

/** Returns why bytes are not a JSON object, as a header and a claims set must be; undefined if they are. */
export function findObjectFault(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return "is not UTF-8";
  const [problem] = validateJson(bytes, {
    duplicateKeys: "error",
    maxDepth: 100,
    byteOrderMark: "refuse",
  });
  if (problem !== undefined)
    return `is not valid JSON: ${problem.message.replace(/\.$/, "")} (character ${problem.column} of line ${problem.line})`;
  return /^\s*\{/.test(Buffer.from(bytes.subarray(0, 64)).toString("latin1"))
    ? undefined
    : "is not a JSON object";
}

function decode(name: string, part: string, offset: number): Buffer {
  const bytes = decodeBase64url(part);
  if (bytes !== undefined) return bytes;
  const foreign = /[^\w-]/.exec(part);
  const why =
    foreign === null
      ? "its last character is missing or has excess bits"
      : "it contains a character outside that alphabet, such as padding or a space";
  throw new DocumentFault(`The ${name} is not base64url without padding: ${why}.`, {
    index: offset + (foreign?.index ?? 0),
  });
}

function toHeader(bytes: Buffer): Record<string, unknown> {
  const fault = findObjectFault(bytes);
  if (fault !== undefined) throw new DocumentFault(`The header ${fault}.`, { index: 0 });
  return JSON.parse(bytes.toString()) as Record<string, unknown>;
}
