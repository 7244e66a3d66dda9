import { ToolError } from "../../catalog/errors.ts";

/**
 * The parameters of a query, in order, `+` as a space (URL Standard §5.1).
 * @throws ToolError invalid_input where a percent sequence is broken or no UTF-8: `URLSearchParams` would put a
 * replacement character there and hide the loss.
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
