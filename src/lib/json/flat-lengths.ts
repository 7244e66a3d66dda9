import type { Tokens } from "./tokens.ts";

/**
 * Returns the length of each array and object on one line, in the order of their starts, with the comma after it. A container
 * with a comment inside has no such length: it is Infinity.
 */
export function measureFlat(tokens: Tokens): number[] {
  const lengths: number[] = [];
  const open: Frame[] = [];
  let frame: Frame = { index: -1, length: 0, items: 0, comma: false, last: -1 };
  for (tokens.next(); tokens.kind !== "end"; tokens.next()) {
    const { kind } = tokens;
    if (kind === "/") frame.length = Infinity;
    else if (kind === ",") frame.comma = true;
    else if (kind === ":") frame.length += 2;
    else if (kind === "}" || kind === "]") {
      const { index } = frame;
      // An object with members has a space inside of each brace.
      const length = frame.length + 2 + (kind === "}" && frame.items > 0 ? 2 : 0);
      lengths[index] = length;
      frame = open.pop() as Frame;
      frame.length += length;
      frame.last = index;
    } else {
      beginItem(frame, lengths);
      if (kind === "{" || kind === "[") {
        open.push(frame);
        frame = { index: lengths.length, length: 0, items: 0, comma: false, last: -1 };
        lengths.push(0);
      } else frame.length += tokens.to - tokens.from;
    }
  }
  return lengths;
}

interface Frame {
  index: number;
  length: number;
  items: number;
  /** Whether a comma was read and what follows it was not: it may be a trailing one. */
  comma: boolean;
  /** The container that was the last item, or -1. */
  last: number;
}

function beginItem(frame: Frame, lengths: number[]): void {
  if (frame.comma) {
    frame.length += 2;
    if (frame.last >= 0) lengths[frame.last] = (lengths[frame.last] as number) + 1;
  }
  frame.comma = false;
  frame.last = -1;
  frame.items++;
}
