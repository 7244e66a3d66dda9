/** An image, as its first bytes describe it. */
export interface ImageType {
  name: string;
  /** The media type. */
  type: string;
  ending: string;
  /** Pixels, where the first bytes say so. */
  size?: readonly [width: number, height: number];
  detail?: string;
}

/** Returns what kind of image bytes are; undefined if they are none that browsers draw. */
export function findImage(bytes: Uint8Array): ImageType | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const begins = (...head: number[]): boolean => head.every((byte, index) => bytes[index] === byte);
  const text = (from: number, to: number): string => String.fromCharCode(...bytes.slice(from, to));
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) {
    const found = { name: "PNG", type: "image/png", ending: "png" };
    if (bytes.length < 26) return found;
    const kinds: Readonly<Record<number, string>> = {
      0: "grey",
      2: "RGB",
      3: "palette",
      4: "grey and alpha",
      6: "RGBA",
    };
    return {
      ...found,
      size: [view.getUint32(16), view.getUint32(20)],
      detail: `${bytes[24]}-bit ${kinds[bytes[25] ?? 0] ?? ""}`,
    };
  }
  if (/^GIF8[79]a/.test(text(0, 6)))
    return {
      name: "GIF",
      type: "image/gif",
      ending: "gif",
      ...(bytes.length > 10 && { size: [view.getUint16(6, true), view.getUint16(8, true)] as const }),
    };
  if (begins(0xff, 0xd8, 0xff)) return { name: "JPEG", type: "image/jpeg", ending: "jpg" };
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP")
    return { name: "WebP", type: "image/webp", ending: "webp" };
  if (text(4, 12) === "ftypavif") return { name: "AVIF", type: "image/avif", ending: "avif" };
  if (text(0, 2) === "BM" && bytes.length > 26)
    return {
      name: "BMP",
      type: "image/bmp",
      ending: "bmp",
      size: [view.getInt32(18, true), Math.abs(view.getInt32(22, true))],
    };
  return begins(0, 0, 1, 0) ? { name: "Icon", type: "image/x-icon", ending: "ico" } : undefined;
}
