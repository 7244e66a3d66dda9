import type { Tokens } from "./tokens.ts";

/** Lengths of arrays and objects, in the order of their starts. */
export interface FlatLengths {
  /**
   * The length on one line, with the comma after it. A container with a comment inside has no such length: it is Infinity, and so
   * is that of one that has to have several lines, and of those around it.
   */
  lengths: number[];
  /** The arrays of several numbers, which share lines. */
  fills: ReadonlySet<number>;
}

/**
 * @param keeps Whether containers that are open in the text, with the first item on a line of its own, stay open. As Prettier has
 * it, arrays of several objects or arrays that have several items each are open, too.
 */
export function measureFlat(tokens: Tokens, keeps = false): FlatLengths {
  const lengths: number[] = [];
  const fills = new Set<number>();
  const open: Frame[] = [];
  let frame = begin(-1, "[");
  for (tokens.next(); tokens.kind !== "end"; tokens.next()) {
    const { kind } = tokens;
    if (keeps && frame.items === 0 && tokens.breaks > 0 && kind !== "}" && kind !== "]" && frame.index >= 0)
      frame.length = Infinity;
    if (kind === "/") frame.length = Infinity;
    else if (kind === ",") frame.comma = true;
    else if (kind === ":") frame.length += 2;
    else if (kind === "}" || kind === "]") {
      const { index, items } = frame;
      if (keeps && isTable(frame)) frame.length = Infinity;
      if (keeps && kind === "]" && items > 1 && frame.numbers === items) fills.add(index);
      // An object with members has a space inside of each brace.
      const length = frame.length + 2 + (kind === "}" && frame.items > 0 ? 2 : 0);
      lengths[index] = length;
      frame = open.pop() as Frame;
      frame.length += length;
      frame.last = index;
      if (kind === "}" ? items > 2 : items > 1) frame[kind === "}" ? "objects" : "arrays"]++;
    } else {
      beginItem(frame, lengths);
      if (kind === "{" || kind === "[") {
        open.push(frame);
        frame = begin(lengths.length, kind);
        lengths.push(0);
      } else {
        frame.length += tokens.to - tokens.from;
        if (kind === "word" && tokens.isNumber()) frame.numbers++;
      }
    }
  }
  return { lengths, fills };
}

const begin = (index: number, kind: string): Frame => ({
  index,
  isArray: kind === "[",
  length: 0,
  items: 0,
  numbers: 0,
  objects: 0,
  arrays: 0,
  comma: false,
  last: -1,
});

/** Reports whether an array has several items, and all are objects, or all are arrays, of several items. */
const isTable = ({ isArray, items, objects, arrays }: Frame): boolean =>
  isArray && items > 1 && (objects === items || arrays === items);

interface Frame {
  index: number;
  isArray: boolean;
  length: number;
  /** Keys count as items. */
  items: number;
  numbers: number;
  /** Items that are objects, or arrays, of several items. */
  objects: number;
  arrays: number;
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
