import { type ErrorPlace, ToolError } from "../catalog/errors.ts";
import { type Before, toText } from "../catalog/text.ts";
import { type BlockRun, maxText, type ToolResult } from "../catalog/tool.ts";
import { locate } from "../lib/json/position.ts";

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
  const before: Before = { bytes: 0, lines: 0 };
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
    before.bytes += bytes.length;
    before.lines += countLines(bytes);
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

/** The lines that end in bytes, as `locate` counts them: a carriage return alone ends one too. */
function countLines(bytes: Uint8Array): number {
  if (bytes.includes(0x0d)) return locate(bytes, bytes.length).line - 1;
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}

function shifted(error: ToolError, before: Before): ToolError {
  const { errors } = error.details;
  if (errors === undefined) return error;
  const details = { ...error.details, errors: errors.map((place) => toWhole(place, before)) };
  return new ToolError(error.code, error.message, details);
}

const toWhole = ({ line, offset, first, ...place }: ErrorPlace, before: Before): ErrorPlace => ({
  ...place,
  ...(line !== undefined && { line: before.lines + line }),
  ...(offset !== undefined && { offset: before.bytes + offset }),
  ...(first !== undefined && {
    first: { ...first, line: before.lines + first.line, offset: before.bytes + first.offset },
  }),
});
