import { isDictionary, isList, type Value } from "./value.ts";

/**
 * Returns the length of `toJson(value, indent)`, or Infinity if it exceeds `max`: a value that shares one
 * part in many places is small in memory, but is written once per place.
 */
export function jsonLength(value: Value, indent: number, max: number): number {
  let length = 0;
  const open: Frame[] = [];
  let frame: Frame | undefined;
  let next: Value = value;
  for (;;) {
    if (isList(next) || isDictionary(next)) {
      const size = isList(next) ? next.length : next.size;
      // Brackets and commas, and a line for each item and for the closing bracket.
      length += size === 0 ? 2 : 1 + size;
      if (size > 0 && indent > 0)
        length += size * (1 + indent * (open.length + 1)) + 1 + indent * open.length;
      if (isDictionary(next)) for (const key of next.keys()) length += textLength(key) + (indent > 0 ? 2 : 1);
      if (length > max) return Infinity;
      if (size > 0) {
        frame = next.values();
        open.push(frame);
      }
    } else length += scalarLength(next);
    if (length > max) return Infinity;
    for (;;) {
      if (frame === undefined) return length;
      const item: IteratorResult<Value> = frame.next();
      if (item.done !== true) {
        next = item.value;
        break;
      }
      open.pop();
      frame = open.at(-1);
    }
  }
}

/** Returns the length of `JSON.stringify(text)`. */
export function textLength(text: string): number {
  let length = text.length + 2;
  // oxlint-disable-next-line no-control-regex
  if (!/["\\\0-\x1f\ud800-\udfff]/.test(text)) return length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22 || unit === 0x5c) length++;
    else if (unit < 0x20) length += unit >= 0x08 && unit <= 0x0d && unit !== 0x0b ? 1 : 5;
    else if (unit >= 0xd800 && unit <= 0xdfff) {
      // A pair stays as it is; a lone surrogate becomes an escape.
      const low = unit < 0xdc00 ? text.charCodeAt(at + 1) : 0;
      if (low >= 0xdc00 && low <= 0xdfff) at++;
      else length += 5;
    }
  }
  return length;
}

type Frame = Iterator<Value>;

function scalarLength(value: Value): number {
  if (typeof value === "string") return textLength(value);
  if (value === null || value === true) return 4;
  if (value === false) return 5;
  const { kind, text } = value as { kind: string; text: string };
  return text.length + (kind === "number" ? 0 : 2);
}
