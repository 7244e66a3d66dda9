import { DocumentFault } from "./fault.ts";
import { bytesOfLine, isHeader, startsDump } from "./hex-dump-line.ts";

/**
 * Returns the bytes of a hex dump as xxd, hexdump -C, od -t x1, Wireshark, tcpdump -X or Format-Hex writes it: an address, bytes, and perhaps their
 * characters. The address of each line must be the number of bytes before it (in octal in od, unless -A x), counted from the address of the
 * first line if the characters confirm that it is a dump. A line `*` repeats the line before it up to the next address.
 * Undefined if the text is not such a dump.
 * @throws DocumentFault for a dump in words of several bytes, or in octal numbers.
 */
export function readHexDump(text: Uint8Array): Uint8Array | undefined {
  if (!mayBeHexDump(text)) return undefined;
  const lines = Buffer.from(text.buffer, text.byteOffset, text.length).toString().split(lineEnds);
  while (lines.at(-1)?.trim() === "") lines.pop();
  while (lines[0] !== undefined && isHeader(lines[0])) lines.shift();
  for (const radix of [16, 8] as const) {
    const bytes = readLines(lines, radix, text.length);
    if (bytes !== undefined) return bytes;
  }
  if (/^0{7}(?: {1,3}(?:[0-7]{3}|\\[abfnrtv0]|[!-~]))+ *$/.test(lines[0] ?? ""))
    throw new DocumentFault("This dump of od is octal, or characters; make it with -t x1.", { index: 0 });
  return undefined;
}

/** Reports whether one of the first lines of a text begins as a line of a dump. */
export const mayBeHexDump = (text: Uint8Array): boolean =>
  Buffer.from(text.subarray(0, dumpHead)).toString().split(lineEnds).some(startsDump);

/** Bytes in which a dump is recognised. */
export const dumpHead = 1024;
const lineEnds = /\r?\n/;

/** Dumps end at the first long run of equal lines, so a short text may stand for much: what it stands for is bounded. */
const maxRepeated = 64 * 1024 * 1024;

function readLines(lines: readonly string[], radix: 8 | 16, size: number): Uint8Array | undefined {
  let result: Uint8Array = new Uint8Array(Math.max(16, size));
  let length = 0;
  let base = 0;
  let last: Uint8Array | undefined;
  let repeating = false;
  for (const [index, line] of lines.entries()) {
    if (line === "*" && last !== undefined) {
      repeating = true;
      continue;
    }
    const address = addressOf(line, radix) - base;
    if (repeating && last !== undefined) {
      if (!(address > length) || address > maxRepeated || (address - length) % last.length !== 0)
        return undefined;
      result = grown(result, address);
      for (let at = length; at < address; at += last.length) result.set(last, at);
      length = address;
      repeating = false;
    }
    const isBase = index === 0 && address > 0 && line.includes(":");
    if (!isBase && address !== length) return undefined;
    // The next address tells where the bytes end and their characters begin.
    const next = addressOf(lines[index + 1] ?? "", radix) - (isBase ? addressOf(line, radix) : base);
    const read = bytesOfLine(line, next - length);
    if (read === undefined) {
      // The last line of hexdump and od is the size alone.
      if (index === lines.length - 1 && index > 0 && /^[\da-f]{6,16}$/i.test(line)) break;
      return undefined;
    }
    if (isBase) {
      if (!read.confirmed) return undefined;
      base = address;
    }
    last = read.bytes;
    result = grown(result, length + last.length);
    result.set(last, length);
    length += last.length;
  }
  return repeating ? undefined : result.subarray(0, length);
}

/** NaN if the line has none. */
const addressOf = (line: string, radix: 8 | 16): number =>
  Number.parseInt(/^\s*(?:0x)?([\da-f]{4,16})(?![\da-f])/i.exec(line)?.[1] ?? "", radix);

function grown(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= bytes.length) return bytes;
  const larger = new Uint8Array(Math.max(size, bytes.length * 2));
  larger.set(bytes);
  return larger;
}
