import { ToolError } from "../../catalog/errors.ts";

const names = /^(?:api[_-]?key|x-api-key|access[_-]?token|authorization|bearer)$/i;
const secret = /svc_(?:live|sess)_/i;

/**
 * Returns the refusal of a credential in the URL (RFC 6750 §5.3), or undefined. Proxies, browsers and shells store
 * URLs, so callers must learn it from the first request and not from a leak.
 */
export function keyInQuery(query: string): ToolError | undefined {
  if (query === "") return undefined;
  // Checked after decoding twice: `svc%5Flive_` and `svc%255Flive_` leak the same key.
  const plain = decodeLoosely(decodeLoosely(query));
  if (!secret.test(plain) && !query.split("&").some((part) => names.test(decodeLoosely(nameOf(part)))))
    return undefined;
  return new ToolError(
    "key_in_query",
    "Send the key as Authorization: Bearer …, never in the URL. Rotate a key that was sent in one.",
  );
}

function nameOf(part: string): string {
  const mark = part.indexOf("=");
  return mark === -1 ? part : part.slice(0, mark);
}

/** Decodes percent-encoded ASCII and leaves everything else unchanged. */
export function decodeLoosely(text: string): string {
  return text.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
