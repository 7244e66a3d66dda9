import { crc32 } from "node:zlib";
import { openOwn } from "../own-file.ts";

/** `crc32␠json⏎`, the checksum of the JSON in eight hexadecimal digits: a line that is torn or damaged is known as such. */
export function toSealedLine(value: unknown): Buffer {
  const json = JSON.stringify(value);
  return Buffer.from(`${crc32(json).toString(16).padStart(8, "0")} ${json}\n`);
}

/** The JSON of a line without its line feed; undefined where the checksum is of something else. */
export function openSealedLine(line: Buffer): Buffer | undefined {
  if (line[8] !== space) return undefined;
  const json = line.subarray(9);
  return Number.parseInt(line.toString("latin1", 0, 8), 16) === crc32(json) ? json : undefined;
}

/** A string says so by its first byte: what follows it need not be parsed. */
export const isText = (json: Buffer): boolean => json[0] === quote;

export interface SealedFile {
  /** Bytes. */
  size: number;
  /** Lines that were not whole. */
  damaged: number;
}

const space = 0x20;
const quote = 0x22;
const lineFeed = 0x0a;
const chunkBytes = 1024 * 1024;

/**
 * Shows `visit` each line of a file after the first (its header): its JSON and where the line is, or undefined where it
 * is not whole. `checkHeader` throws where this release cannot read the file.
 */
export async function readSealedLines(
  path: string,
  checkHeader: (header: string) => void,
  visit: (json: Buffer | undefined, offset: number, length: number) => void,
): Promise<SealedFile> {
  const handle = await openOwn(path, "read");
  try {
    let size = 0;
    let damaged = 0;
    let rest: Buffer = Buffer.alloc(0);
    let isFirst = true;
    const wanted = Math.min(chunkBytes, (await handle.stat()).size + 1);
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted);
      if (bytesRead === 0) break;
      const read = buffer.subarray(0, bytesRead);
      const chunk = rest.length === 0 ? read : Buffer.concat([rest, read]);
      let from = 0;
      for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
        see(chunk.subarray(from, to), size + from);
        from = to + 1;
      }
      size += from;
      rest = chunk.subarray(from);
    }
    if (rest.length > 0) {
      if (isFirst) checkHeader(rest.toString());
      else visit(undefined, size, rest.length);
      damaged += 1;
    }
    return { size: size + rest.length, damaged };

    function see(line: Buffer, offset: number): void {
      if (isFirst) {
        isFirst = false;
        checkHeader(line.toString());
        return;
      }
      const json = openSealedLine(line);
      if (json === undefined) damaged += 1;
      visit(json, offset, line.length);
    }
  } finally {
    await handle.close();
  }
}
