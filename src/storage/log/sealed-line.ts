import { crc32 } from "node:zlib";

const space = 0x20;
const quote = 0x22;
const lineFeed = 0x0a;
/** Eight hexadecimal digits of the checksum and a space. */
const headLength = 9;

/**
 * Returns `crc32␠payload⏎`, the CRC-32 of the payload in eight hexadecimal digits, by which a reader recognizes a torn or
 * damaged line. The payload must not contain a line feed.
 */
export function toSealedLine(payload: string | Uint8Array): Buffer {
  const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
  const line = Buffer.allocUnsafe(headLength + bytes.length + 1);
  line.write(`${crc32(bytes).toString(16).padStart(8, "0")} `, "latin1");
  line.set(bytes, headLength);
  line[line.length - 1] = lineFeed;
  return line;
}

export const toSealedJson = (value: unknown): Buffer => toSealedLine(JSON.stringify(value));

/** Returns the payload of a line, with or without its line feed; undefined if the line is torn or damaged. */
export function openSealedLine(line: Buffer): Buffer | undefined {
  if (line[headLength - 1] !== space) return undefined;
  const head = line.toString("latin1", 0, headLength - 1);
  if (!/^[0-9a-f]{8}$/.test(head)) return undefined;
  const payload = payloadOf(line);
  return crc32(payload) === Number.parseInt(head, 16) ? payload : undefined;
}

/** Returns the payload of a line that is known to be whole. */
export const payloadOf = (line: Buffer): Buffer =>
  line.subarray(headLength, line.at(-1) === lineFeed ? line.length - 1 : line.length);

/** Reports whether a JSON payload is a string, by its first byte: the rest need not be parsed. */
export const isText = (json: Buffer): boolean => json[0] === quote;
