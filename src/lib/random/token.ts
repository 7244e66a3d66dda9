import { crc32 } from "node:zlib";
import { createDraw } from "./draw.ts";
import { drawText } from "./text.ts";

export interface TokenShape {
  /** Bytes of randomness. */
  bytes: number;
  encoding: "hex" | "base64url" | "base62";
  prefix: string;
  checksum: boolean;
}

/** One after the other, a prefix, random characters and, if wanted, a checksum over both. */
export function drawTokens(count: number, shape: TokenShape, random: (size: number) => Uint8Array): string[] {
  const draw = createDraw(random);
  return Array.from({ length: count }, () => {
    const body =
      shape.encoding === "base62"
        ? drawText(draw, base62, base62Length(shape.bytes))
        : Buffer.from(random(shape.bytes)).toString(shape.encoding);
    const token = shape.prefix + body;
    return shape.checksum ? token + checksum(token) : token;
  });
}

const base62 = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];

/** As many characters as hold so many bytes at least. */
const base62Length = (bytes: number): number => Math.ceil((bytes * 8) / Math.log2(62));

/** CRC-32 of all before it in six digits of base62: who scans for leaked tokens can tell one without asking anybody. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let index = 0; index < 6; index++) {
    digits = (base62[rest % 62] as string) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
