/** Describes a byte of a document for a message. */
export function nameByte(byte: number): string {
  if (byte === 0x0a) return "a line end";
  if (byte === 0x20) return "a space";
  if (byte > 0x20 && byte < 0x7f) return JSON.stringify(String.fromCharCode(byte));
  return `the byte 0x${byte.toString(16).padStart(2, "0")}`;
}
