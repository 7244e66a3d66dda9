import { ToolError } from "../catalog/errors.ts";
import { advance, type Before, toText } from "../catalog/text.ts";
import { type BlockRun, maxText } from "../catalog/tool.ts";
import { shifted } from "./line-run.ts";

/** The work of a tool on parts of a document, bytes or text, for tools that do not work line by line. */
export interface PartWork<Part> {
  /**
   * Returns how many bytes of what has arrived are a part, after which nothing depends on it: 0 if more bytes must arrive first.
   * The rest of the bytes begins the next part.
   */
  cut(bytes: Uint8Array): number;
  /** Works on a part. Yields what follows in the result. Places in the errors that it throws are in the part. */
  write(part: Part): Iterable<string | Uint8Array>;
  /** Works on the last part, which may be empty; by default like `write`. */
  last?(part: Part): Iterable<string | Uint8Array>;
}

/** Makes a run over blocks of one over parts. It keeps what has arrived of one part, up to the length of a whole document. */
export const createPartRun = (slug: string, work: PartWork<Uint8Array>): BlockRun =>
  createRun(slug, work, (bytes) => bytes);

/** Like `createPartRun`, for parts that are text. */
export const createTextRun = (slug: string, work: PartWork<string>): BlockRun =>
  createRun(slug, work, (bytes, before) => toText(bytes, "invalid_document", "The document", before));

const newline = 0x0a;
const carriageReturn = 0x0d;

function createRun<Part>(
  slug: string,
  work: PartWork<Part>,
  decode: (bytes: Uint8Array, before: Before) => Part,
): BlockRun {
  const before: Before = { bytes: 0, lines: 0, columns: 0 };
  /** The lines and columns behind a CR at the end of a part, should LF begin the next one: both are one line end. */
  let split: Pick<Before, "lines" | "columns"> | undefined;
  let begun: Uint8Array[] = [];
  let length = 0;
  /** Bytes of a part that must have arrived before its end is searched again: a search of all for each block would be quadratic. */
  let wanted = 0;

  function* take(bytes: Uint8Array, isLast: boolean): Generator<string | Uint8Array> {
    if (bytes[0] === newline) Object.assign(before, split);
    const part = decode(bytes, before);
    try {
      yield* isLast && work.last !== undefined ? work.last(part) : work.write(part);
    } catch (error) {
      throw error instanceof ToolError ? shifted(error, before) : error;
    }
    const endsInReturn = bytes.at(-1) === carriageReturn;
    advance(before, endsInReturn ? bytes.subarray(0, -1) : bytes);
    split = endsInReturn ? { lines: before.lines, columns: before.columns + 1 } : undefined;
    if (endsInReturn) advance(before, bytes.subarray(-1));
  }

  const arrived = (): Uint8Array => (begun.length === 1 ? (begun[0] as Uint8Array) : Buffer.concat(begun));

  return {
    *write(block) {
      begun.push(block);
      length += block.length;
      if (length < wanted) return;
      const bytes = arrived();
      const to = work.cut(bytes);
      begun = [bytes.subarray(to)];
      length -= to;
      wanted = to === 0 ? length * 1.5 : 0;
      if (to > 0) yield* take(bytes.subarray(0, to), false);
      else if (length > maxText) {
        const message = `From line ${before.lines + 1} on, ${slug} needs more than ${maxText} bytes at once, which is the most that it takes.`;
        throw new ToolError("body_too_large", message, { limit: maxText });
      }
    },
    end() {
      const parts = [...take(arrived(), true)];
      return parts.every((part) => typeof part === "string")
        ? parts.join("")
        : Buffer.concat(parts.map((part) => Buffer.from(part)));
    },
  };
}

/** Returns the end of the last whole character of UTF-8. A sequence that is longer than one belongs to a fault. */
export function endOfCharacters(bytes: Uint8Array, to: number = bytes.length): number {
  let at = to;
  while (at > 0 && to - at < 3 && isContinuation(bytes[at - 1])) at--;
  const lead = bytes[at - 1] ?? 0;
  const size = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return at > 0 && lead >= 0xc0 && to - at + 1 < size ? at - 1 : to;
}

const isContinuation = (byte = 0): boolean => (byte & 0xc0) === 0x80;
