/** One message per line; a line of more than `max` bytes is skipped. */
export type Line = { bytes: Uint8Array } | "too-long";

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Splits a stream at its line breaks; leaves out empty lines and a last line without its line break. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let isTooLong = false;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      const last = chunk.subarray(from, end);
      from = end + 1;
      if (isTooLong || size + last.length > max) yield "too-long";
      else if (size + last.length > 0) {
        const bytes = Buffer.concat([...parts, last]);
        // Windows ends a line with two characters, and so an empty one with this.
        if (bytes.length > 1 || bytes[0] !== carriageReturn) yield { bytes };
      }
      [parts, size, isTooLong] = [[], 0, false];
    }
    const rest = chunk.subarray(from);
    if (rest.length === 0) continue;
    size += rest.length;
    isTooLong ||= size > max;
    // A line without an end must not fill the memory.
    if (isTooLong) parts = [];
    else parts.push(rest);
  }
}
