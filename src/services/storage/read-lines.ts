import { openOwn } from "./own-file.ts";

export interface FileLine {
  /** Without the line feed. */
  bytes: Buffer;
  /** From 1. */
  number: number;
  /** The last line has no line feed. */
  torn: boolean;
}

const lineFeed = 0x0a;

/** Yields the lines of a file as bytes, because a damaged file may not be text. Only a line feed ends a line. */
export async function* readLines(path: string): AsyncIterable<FileLine> {
  let rest: Buffer[] = [];
  let number = 0;
  const handle = await openOwn(path, "read");
  for await (const chunk of handle.createReadStream() as AsyncIterable<Buffer>) {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
      yield { bytes: Buffer.concat([...rest, chunk.subarray(from, to)]), number: ++number, torn: false };
      rest = [];
      from = to + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), number: ++number, torn: true };
}
