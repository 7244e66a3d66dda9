import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { open } from "node:fs/promises";

/** Thrown when a file or a stream has more bytes than the limit. */
export class TooManyBytesError extends Error {
  /** The size; undefined if reading stopped before the end. */
  readonly size: number | undefined;

  constructor(size?: number) {
    super("too many bytes");
    this.size = size;
  }
}

/** Bytes read at a time. */
const pieceBytes = 8 * 1024 * 1024;

/**
 * Reads a file into a buffer of its size, so that it is never in memory twice.
 * @throws TooManyBytesError, before reading, for a file of more than `max` bytes.
 */
export async function readFileUpTo(path: string | Buffer, max: number): Promise<Uint8Array> {
  const known = readRegularFile(path, max);
  if (known !== undefined) return known;
  const file = await open(path);
  try {
    return await readStreamUpTo(file.createReadStream({ autoClose: false }), max);
  } finally {
    await file.close();
  }
}

/**
 * Reads a file of known size at once, which takes a tenth of the time of Node's promises for a small one. Returns undefined
 * for pipes, devices and generated files, which report no size: opening one may wait for ever.
 */
export function readRegularFile(path: string | Buffer, max: number): Uint8Array | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size === 0) return undefined;
  const descriptor = openSync(path, "r");
  try {
    return readKnown(descriptor, max);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Returns a document of at most `max` bytes, and the chunks of a larger one.
 * @param readSized Reads one whose size is known; returns undefined if it is unknown. @throws TooManyBytesError before reading
 */
export async function readOrStream(
  readSized: () => Uint8Array | undefined,
  stream: () => AsyncIterable<Uint8Array>,
  max: number,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  try {
    const known = readSized();
    if (known !== undefined) return known;
  } catch (error) {
    if (error instanceof TooManyBytesError) return stream();
    throw error;
  }
  const chunks = stream()[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let length = 0;
  while (length <= max) {
    const next = await chunks.next();
    if (next.done === true) return Buffer.concat(read);
    read.push(next.value);
    length += next.value.length;
  }
  return following(read, chunks);
}

/** Yields the chunks that were read, each freed when it was used, and then the others. */
async function* following(read: Uint8Array[], chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (let next = read.shift(); next !== undefined; next = read.shift()) yield next;
    for (;;) {
      const next = await chunks.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** Reads a stream to its end. @throws TooManyBytesError */
export async function readStreamUpTo(stream: AsyncIterable<Uint8Array>, max: number): Promise<Uint8Array> {
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of stream) {
    if (length + chunk.length > max) throw new TooManyBytesError();
    for (let from = 0; from < chunk.length;) {
      const at = length % pieceBytes;
      if (at === 0) blocks.push(new Uint8Array(pieceBytes));
      const part = chunk.subarray(from, from + pieceBytes - at);
      blocks.at(-1)?.set(part, at);
      from += part.length;
      length += part.length;
    }
  }
  const bytes = Buffer.allocUnsafeSlow(length);
  for (const [index, block] of blocks.entries()) {
    const at = index * pieceBytes;
    bytes.set(block.subarray(0, length - at), at);
    // Frees the block now; the garbage collector would leave the whole document in memory twice.
    block.buffer.transfer(0);
  }
  return bytes;
}

/**
 * Reads the rest of an open file. Returns undefined if it is not a regular file, because its size is then unknown.
 * @throws TooManyBytesError
 */
export function readKnown(descriptor: number, max: number): Uint8Array | undefined {
  const found = fstatSync(descriptor);
  if (!found.isFile()) return undefined;
  if (found.size > max) throw new TooManyBytesError(found.size);
  return readDescriptor(descriptor, found.size);
}

/** Reads up to `size` bytes. The buffer is not shared, so that a worker can take it over. */
export function readDescriptor(descriptor: number, size: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = 0;
  while (at < bytes.length) {
    const read = readSync(descriptor, bytes, at, Math.min(pieceBytes, bytes.length - at), null);
    if (read === 0) break;
    at += read;
  }
  return bytes.subarray(0, at);
}
