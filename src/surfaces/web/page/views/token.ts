import { type Json, memberOf, readJson, textOf } from "./json.ts";

/** The parts of a token; undefined where one cannot be read. */
export interface Token {
  header: Json | undefined;
  payload: Json | undefined;
  signature: string | undefined;
}

/** Returns the token that a result of jwt-decoder describes. */
export function fromResult(text: string): Token {
  const value = readJson(text);
  return {
    header: memberOf(value, "header"),
    payload: memberOf(value, "payload"),
    signature: textOf(memberOf(value, "signature")),
  };
}

/** Returns the parts of a token in its compact form. */
export function decode(text: string): Token {
  const [header = "", payload = "", signature] = text.trim().split(".");
  return { header: decodePart(header), payload: decodePart(payload), signature };
}

function decodePart(part: string): Json | undefined {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (one) =>
      one.charCodeAt(0),
    );
    return readJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
