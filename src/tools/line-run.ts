import { type ErrorPlace, ToolError } from "../catalog/errors.ts";
import { advance, type Before, shift, toText } from "../catalog/text.ts";
import { type BlockRun, maxText, type ToolResult } from "../catalog/tool.ts";

/** The work of a tool on whole lines. */
export interface LineWork {
  /**
   * Takes lines with their ends, as many as a block has; the last line of the document may have no end. Yields what follows in
   * the result. Places in the errors that it throws are in these lines.
   */
  write(lines: string, before: Before): Iterable<string>;
  /** Returns the rest of the result, or the report; by default nothing. */
  end?(): ToolResult;
}

const newline = 0x0a;

/** Makes a run over blocks of one over whole lines. It keeps at most one line, of the length that a whole document may have. */
export function createLineRun(
  slug: string,
  { write, end = () => "" }: LineWork,
  maxLine: number = maxText,
): BlockRun {
  const before: Before = { bytes: 0, lines: 0, columns: 0 };
  let begun: Uint8Array[] = [];
  let length = 0;

  function begin(bytes: Uint8Array): void {
    begun.push(bytes);
    length += bytes.length;
    if (length <= maxLine) return;
    const message = `Line ${before.lines + 1} is longer than ${maxLine} bytes, the most that ${slug} takes in a line.`;
    throw new ToolError("body_too_large", message, { limit: maxLine });
  }

  function* take(bytes: Uint8Array): Generator<string> {
    const text = toText(bytes, "invalid_document", "The document", before);
    try {
      yield* write(text, before);
    } catch (error) {
      throw error instanceof ToolError ? shifted(error, before) : error;
    }
    advance(before, bytes);
  }

  function ended(): Uint8Array {
    const bytes = begun.length === 1 ? (begun[0] as Uint8Array) : Buffer.concat(begun);
    begun = [];
    length = 0;
    return bytes;
  }

  return {
    *write(block) {
      const to = block.lastIndexOf(newline) + 1;
      if (to > 0) {
        begin(block.subarray(0, block.indexOf(newline) + 1));
        begun.push(block.subarray(block.indexOf(newline) + 1, to));
        yield* take(ended());
      }
      if (to < block.length) begin(block.subarray(to));
    },
    end() {
      const last = length === 0 ? "" : [...take(ended())].join("");
      const rest = end();
      return typeof rest === "string" ? last + rest : rest;
    },
  };
}

/** Returns an error of a part with its places in the document. */
export function shifted(error: ToolError, before: Before): ToolError {
  const { errors } = error.details;
  if (errors === undefined) return error;
  const details = { ...error.details, errors: errors.map((place) => toWhole(place, before)) };
  return new ToolError(error.code, error.message, details);
}

const toWhole = ({ line, column, offset, first, ...place }: ErrorPlace, before: Before): ErrorPlace => ({
  ...place,
  ...(line !== undefined && shift({ line, column: column ?? 1 }, before)),
  ...(offset !== undefined && { offset: before.bytes + offset }),
  ...(first !== undefined && { first: { ...shift(first, before), offset: before.bytes + first.offset } }),
});
