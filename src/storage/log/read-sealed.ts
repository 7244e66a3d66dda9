import { readLineChunks } from "./read-lines.ts";
import { openSealedLine } from "./sealed-line.ts";

/** A line as it is in the file. */
export interface RawLine {
  /** Without the line feed. */
  bytes: Buffer;
  /** The last line of a file has no line feed. */
  torn: boolean;
}

/** The bytes of a line in its file, its checksum and line feed included. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

export interface SealedFile {
  /** Bytes. */
  size: number;
  /** Bytes up to the end of the last whole line: where the file goes on. */
  kept: number;
  /** Number of lines that are not whole. A crash leaves one at the end. */
  damaged: number;
}

/**
 * Calls `visit` with the payload of each line of a file and its place; with undefined if the line is not whole. A first
 * line that is plain text, such as a version, goes to `checkHeader` instead. A missing file has no lines.
 * @throws the error of the file system and of the callbacks.
 */
export async function readSealedLines(
  path: string,
  visit: (payload: Buffer | undefined, span: Span, line: RawLine) => void,
  checkHeader?: (path: string, line: string) => void,
): Promise<SealedFile> {
  let size = 0;
  let kept = 0;
  let damaged = 0;
  try {
    for await (const lines of readLineChunks(path)) {
      for (const { bytes, offset, length, number, torn } of lines) {
        size = offset + length;
        const isHeader = checkHeader !== undefined && number === 1;
        if (isHeader) checkHeader(path, bytes.toString());
        const payload = torn || isHeader ? undefined : openSealedLine(bytes);
        if (payload !== undefined || (isHeader && !torn)) kept = size;
        else damaged += 1;
        if (!isHeader) visit(payload, { offset, length }, { bytes, torn });
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return { size, kept, damaged };
}

/**
 * Reports whether a line at the end of a file, which is not whole, was written whole: a crash leaves the beginning of a line or a hole of
 * zeros, and nothing else.
 */
export const wasWhole = ({ bytes, torn }: RawLine): boolean =>
  torn ? openSealedLine(bytes.subarray(0, -1)) !== undefined : !bytes.includes(0);
