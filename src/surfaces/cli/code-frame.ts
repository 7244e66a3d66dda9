import type { Style } from "./style.ts";
import { visible } from "./visible.ts";

const around = 60;

/**
 * Renders the line of a fault with a caret below its column; of a long line, about 120 characters around it. Empty if
 * the document has no such line.
 * @param line From 1; `column` counts code points from 1.
 */
export function renderCodeFrame(bytes: Uint8Array, line: number, column: number, style: Style): string {
  const text = readLine(bytes, line, column);
  if (text === undefined) return "";
  const { characters, before, cut } = text;
  const gutter = `${line} | `;
  const shown = `${before > 0 ? "…" : ""}${visible(characters)}${cut ? "…" : ""}`;
  const indent = gutter.length + (before > 0 ? 1 : 0) + Math.max(0, column - 1 - before);
  return `${style.dim(gutter)}${shown}\n${" ".repeat(indent)}${style.red("^")}\n`;
}

function readLine(
  bytes: Uint8Array,
  line: number,
  column: number,
): { characters: string; before: number; cut: boolean } | undefined {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const end = bytes.indexOf(10, start);
    if (end === -1) return undefined;
    start = end + 1;
  }
  const end = bytes.indexOf(10, start);
  const stop = end === -1 ? bytes.length : end;
  // The line may be a whole minified document, so only the visible part is decoded.
  const before = Math.max(0, column - 1 - around);
  const from = skipPoints(bytes, start, stop, before);
  const to = skipPoints(bytes, from, stop, column - before + around);
  const characters = new TextDecoder().decode(bytes.subarray(from, to)).replace(/\r$/, "");
  return { characters, before, cut: to < stop };
}

/** Returns the offset after `count` code points of UTF-8. */
function skipPoints(bytes: Uint8Array, from: number, end: number, count: number): number {
  let at = from;
  for (let left = count; at < end; at++) {
    if (((bytes[at] as number) & 0xc0) === 0x80) continue;
    if (left-- === 0) break;
  }
  return at;
}
