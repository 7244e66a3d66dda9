/** A message of the client; or that it was too long, and has been skipped. */
export type Frame = { bytes: Uint8Array } | "too-long";

/** Most bytes of a header; those of editors have about 30. */
const maxHeader = 4096;

/** The stream is no sequence of messages any more, so nothing in it can be found again. */
export class FramingError extends Error {}

const separator = Buffer.from("\r\n\r\n");

/**
 * Splits a stream into messages, each after a header with its length (LSP 3.17, "Base Protocol"). A message of more than `max` bytes
 * is skipped without being kept.
 * @throws FramingError
 */
export async function* readFrames(chunks: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Frame> {
  let header: Uint8Array = new Uint8Array();
  /** The bytes that the message still lacks; undefined while its header is read. */
  let missing: number | undefined;
  let parts: Uint8Array[] = [];
  let skips = false;

  for await (const chunk of chunks) {
    let rest: Uint8Array = chunk;
    while (rest.length > 0) {
      if (missing === undefined) {
        const joined: Buffer = header.length === 0 ? Buffer.from(rest) : Buffer.concat([header, rest]);
        const end = joined.subarray(0, maxHeader).indexOf(separator);
        if (end < 0) {
          if (joined.length >= maxHeader) throw new FramingError("A header is longer than 4,096 bytes.");
          header = joined;
          break;
        }
        missing = readLength(joined.subarray(0, end).toString("latin1"));
        skips = missing > max;
        rest = joined.subarray(end + separator.length);
        header = new Uint8Array();
      }
      const part = rest.subarray(0, missing);
      rest = rest.subarray(part.length);
      missing -= part.length;
      if (!skips) parts.push(part);
      if (missing > 0) break;
      // Not a view of a chunk, which may be as large as the pipe.
      yield skips ? "too-long" : { bytes: Buffer.concat(parts) };
      [missing, parts] = [undefined, []];
    }
  }
}

function readLength(header: string): number {
  let length: number | undefined;
  for (const line of header.split("\r\n")) {
    const [, name = "", value = ""] = /^([!-9;-~]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === "") throw new FramingError("A line of a header has no name.");
    if (name.toLowerCase() === "content-type") checkCharset(value);
    if (name.toLowerCase() !== "content-length") continue;
    if (length !== undefined || !/^\d{1,15}$/.test(value))
      throw new FramingError("The header Content-Length must be one number.");
    length = Number(value);
  }
  if (length === undefined) throw new FramingError("A header has no Content-Length.");
  return length;
}

/** Earlier clients wrote utf8 for utf-8. */
function checkCharset(type: string): void {
  const [, charset = "utf-8"] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type) ?? [];
  if (!/^utf-?8$/i.test(charset)) throw new FramingError("Only UTF-8 is supported.");
}

/** Writes a message with its header. */
export function toFrame(message: unknown): Uint8Array {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}
