import { ToolError } from "../../catalog/errors.ts";
import { splitHeader, unquoteHeader } from "../../lib/header-list.ts";

/** A parsed Content-Type header. */
export interface MediaType {
  /** Lower case, without parameters. */
  type: string;
  /** Lower case; undefined if none was given. */
  charset: string | undefined;
}

/** Parses a media type (RFC 9110 §8.3.1). Returns undefined if the header is missing or malformed. */
export function parseMediaType(header: string | undefined): MediaType | undefined {
  if (header === undefined) return undefined;
  if (header === "application/json" || header === "text/plain") return { type: header, charset: undefined };
  const [name = "", ...parameters] = splitHeader(header, ";");
  const type = name.toLowerCase();
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type)) return undefined;
  for (const parameter of parameters) {
    const [, text] = /^charset[ \t]*=[ \t]*(.*)$/is.exec(parameter) ?? [];
    if (text !== undefined) return { type, charset: (unquoteHeader(text) ?? text).toLowerCase() };
  }
  return { type, charset: undefined };
}

/** @throws ToolError unsupported_media_type for a body that is compressed; `coding` is its Content-Encoding. */
export function requireUncoded(coding: string | undefined): void {
  if (coding === undefined || coding.toLowerCase() === "identity") return;
  throw new ToolError(
    "unsupported_media_type",
    "Send the body without Content-Encoding: compressed bodies are not supported.",
  );
}

/** @throws ToolError unsupported_media_type for text in another charset. */
export function requireUtf8(charset: string | undefined): void {
  if (charset === undefined || charset === "utf-8" || charset === "utf8" || charset === "us-ascii") return;
  throw new ToolError("unsupported_media_type", "Only UTF-8 is supported; omit the charset or send utf-8.");
}
