/**
 * Decodes one part of a compact serialization (RFC 7515 §2): base64url without padding, line ends or any
 * other character, its last bits zero. Undefined for anything else: a lenient decoder gives one token many
 * spellings, and lists of revoked tokens compare spellings.
 */
export function decodeBase64url(text: string): Buffer | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
