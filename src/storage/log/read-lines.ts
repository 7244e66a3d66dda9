import { openSized } from "../own-file.ts";

export interface FileLine {
  /** Without the line feed. */
  bytes: Buffer;
  offset: number;
  /** Bytes in the file, line feed included. */
  length: number;
  /** From 1. */
  number: number;
  /** The last line has no line feed. */
  torn: boolean;
}

const lineFeed = 0x0a;
/** The lines of a chunk are processed in one turn of the event loop: those of a quarter of a megabyte take a few milliseconds. */
const chunkBytes = 256 * 1024;

/** Yields the lines of a file as bytes, because a damaged file may not be text. Only a line feed ends a line. */
export async function* readLines(path: string): AsyncIterable<FileLine> {
  for await (const lines of readLineChunks(path)) yield* lines;
}

/** Like `readLines`, the lines of each chunk together: a step of an asynchronous loop for each line takes long. */
export async function* readLineChunks(path: string): AsyncIterable<Iterable<FileLine>> {
  let rest: Buffer[] = [];
  let offset = 0;
  let number = 0;

  function* linesIn(chunk: Buffer): Iterable<FileLine> {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
      yield next(chunk.subarray(from, to), 1);
      from = to + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }

  function next(end: Buffer, feed: number): FileLine {
    const bytes = rest.length === 0 ? end : Buffer.concat([...rest, end]);
    rest = [];
    const line = { bytes, offset, length: bytes.length + feed, number: ++number, torn: feed === 0 };
    offset += line.length;
    return line;
  }

  const { file, size } = await openSized(path, "read");
  try {
    const wanted = Math.min(chunkBytes, Math.max(size + 1, 64 * 1024));
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted);
      if (bytesRead === 0) break;
      yield linesIn(buffer.subarray(0, bytesRead));
    }
    const last = rest.pop();
    if (last !== undefined) yield [next(last, 0)];
  } finally {
    await file.close();
  }
}
