import { openOwn } from "../own-file.ts";
import { openSealedLine } from "../sealed-line.ts";

export interface SealedFile {
  /** Bytes. */
  size: number;
  /** Lines that are not whole. */
  damaged: number;
}

const lineFeed = 0x0a;
const chunkBytes = 1024 * 1024;

/**
 * Calls `visit` with each line of a file after its header: the JSON and the place of the line, or undefined if the line
 * is not whole. `checkHeader` throws if this release cannot read the file.
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
