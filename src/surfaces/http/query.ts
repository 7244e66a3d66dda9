import { ToolError } from "../../catalog/errors.ts";

/**
 * Parses the parameters of a query in order; `+` is a space (URL Standard §5.1).
 * @throws ToolError invalid_input for a malformed percent sequence or invalid UTF-8; `URLSearchParams` would substitute
 * replacement characters.
 */
export function parseQuery(query: string): [string, string][] {
  if (query === "") return [];
  const pairs: [string, string][] = [];
  for (const part of query.split("&")) {
    if (part === "") continue;
    const mark = part.indexOf("=");
    const name = decode(mark === -1 ? part : part.slice(0, mark));
    pairs.push([name, mark === -1 ? "" : decode(part.slice(mark + 1))]);
  }
  return pairs;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.includes("+") ? text.replaceAll("+", " ") : text);
  } catch {
    throw new ToolError("invalid_input", "The query is not percent-encoded UTF-8 (RFC 3986 §2.1).");
  }
}
