import { type Json, memberOf, readJson, textOf } from "./json.ts";
import { isToken } from "./shape.ts";

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

/** Returns where the three parts of a token stand in a text that is one. */
export function findParts(
  text: string,
): { from: number; to: number; kind: "part-1" | "part-2" | "part-3" }[] {
  if (!isToken(text.trim())) return [];
  let from = text.indexOf(text.trim());
  return text
    .trim()
    .split(".")
    .map((part, index) => {
      const found = {
        from,
        to: from + part.length,
        kind: (["part-1", "part-2", "part-3"] as const)[index] ?? "part-3",
      };
      from = found.to + 1;
      return found;
    });
}
