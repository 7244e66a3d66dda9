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

/** Draws tokens of a prefix, random characters and, if wanted, a checksum of both. */
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

/** Returns the number of base62 characters that hold at least that many bytes. */
const base62Length = (bytes: number): number => Math.ceil((bytes * 8) / Math.log2(62));

/** CRC-32 of the text before it in six base62 digits: a scanner for leaked tokens can verify one offline. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let index = 0; index < 6; index++) {
    digits = (base62[rest % 62] as string) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
