import { isUtf8 } from "node:buffer";
import type { Host } from "./host.ts";
import { usageError } from "./usage-error.ts";
import { writeFile } from "./write-file.ts";

export interface ResultTarget {
  /** A file; standard output if undefined. */
  out?: string | undefined;
  /** Whether to add a missing final newline. */
  newline: boolean;
}

/** The options of `run` that control how a result is written. */
export interface ResultLine {
  out?: string;
  newline?: boolean;
}

const newline = 10;
const pieceBytes = 16 * 1024 * 1024;

/**
 * Decides where a result goes and whether to add a final newline: on a terminal always, because its prompt follows; to a
 * file or a pipe only if the result is not exact.
 */
export const toTarget = (line: ResultLine, exact: boolean, { stdout }: Host): ResultTarget => ({
  out: line.out === "-" ? undefined : line.out,
  newline:
    line.newline !== false && (!exact || (stdout.isTTY && (line.out === undefined || line.out === "-"))),
});

/** Writes a result that is made while it is written, like `writeResult`. A file has all of it or is not written. */
export async function writePieces(
  pieces: AsyncIterable<string | Uint8Array>,
  target: ResultTarget,
  host: Host,
): Promise<void> {
  const content = target.newline ? endingLine(pieces) : pieces;
  if (target.out !== undefined) return writeFile({ path: target.out, content }, host);
  for await (const piece of content) await host.stdout.write(piece);
}

async function* endingLine(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  let last: string | number | undefined;
  for await (const piece of pieces) {
    last = piece.at(-1) ?? last;
    yield piece;
  }
  if (last !== undefined && last !== newline && last !== "\n") yield "\n";
}

/** Writes a result to its file or to standard output. An empty result stays empty. */
export async function writeResult(
  result: string | Uint8Array,
  target: ResultTarget,
  host: Host,
): Promise<void> {
  const { stdout } = host;
  const bytes = typeof result === "string" ? Buffer.from(result) : result;
  // A single write is limited to 2 GiB by the operating system.
  const pieces: (string | Uint8Array)[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes));
  if (target.newline && bytes.length > 0 && bytes.at(-1) !== newline) pieces.push("\n");
  if (target.out !== undefined) {
    return writeFile({ path: target.out, content: pieces }, host);
  }
  if (stdout.isTTY && !isUtf8(bytes)) {
    throw usageError("The result is binary, which a terminal cannot show. Use --out FILE or a pipe.");
  }
  for (const piece of pieces) await stdout.write(piece);
}
