export interface Base64Layout {
  variant: "standard" | "url";
  padding: boolean;
  /** Characters a line, a multiple of 4; 0 is one line. */
  lineLength: number;
}

/** RFC 4648 §4 or §5. Lines are joined by LF, without one at the end. */
export function encodeBase64(data: Uint8Array, { variant, padding, lineLength }: Base64Layout): string {
  const alphabet = variant === "url" ? "base64url" : "base64";
  const text = data.toBase64({ alphabet, omitPadding: !padding });
  if (lineLength === 0 || text.length <= lineLength) return text;
  return breakLines(text, lineLength);
}

/** Byte by byte: millions of short strings would take seconds to join. */
function breakLines(text: string, lineLength: number): string {
  const bytes = Buffer.from(text, "latin1");
  const lines = Buffer.allocUnsafe(bytes.length + Math.ceil(bytes.length / lineLength) - 1);
  let to = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (at > 0 && at % lineLength === 0) lines[to++] = 0x0a;
    lines[to++] = bytes[at] as number;
  }
  return lines.toString("latin1");
}
