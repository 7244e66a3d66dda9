export interface ByteReader {
  /** Reads up to a byte with this value, and past it; returns the bytes before it. */
  until(end: number): Promise<Buffer>;
  bytes(count: number): Promise<Uint8Array>;
  skip(count: number): Promise<void>;
}

/** Reads terminated and counted bytes from a stream. @throws Error if it ends before. */
export function createByteReader(stream: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  /** Returns up to `max` bytes, at least one. */
  async function take(max: number): Promise<Uint8Array> {
    while (rest.length === 0) {
      const next = await chunks.next();
      if (next.done === true) throw new Error("git ended before its answer");
      rest = next.value;
    }
    const part = rest.subarray(0, max);
    rest = rest.subarray(part.length);
    return part;
  }
  return {
    async until(end) {
      const parts: Uint8Array[] = [];
      for (;;) {
        const at = rest.indexOf(end);
        const part = await take(at === -1 ? Math.max(1, rest.length) : at + 1);
        if (part.at(-1) === end) return Buffer.concat([...parts, part.subarray(0, -1)]);
        parts.push(part);
      }
    },
    async bytes(count) {
      const bytes = Buffer.allocUnsafeSlow(count);
      for (let at = 0; at < count;) {
        const part = await take(count - at);
        bytes.set(part, at);
        at += part.length;
      }
      return bytes;
    },
    async skip(count) {
      for (let left = count; left > 0;) left -= (await take(left)).length;
    },
  };
}
