import { checkLength } from "./result-length.ts";
import { flatLength, toFlat } from "./to-flat.ts";
import type { Dictionary, List, Value } from "./value.ts";

/**
 * Writes a value in the layout of `JSON.stringify(value, null, indent)`, numbers as written. Dates, and the
 * numbers that JSON lacks (`inf`, `-inf`, `nan`), become strings.
 * @throws DocumentFault if the text exceeds 128 MiB.
 */
export function toJson(value: Value, indent = 2): string {
  if (!isContainer(value)) return scalarText(value);
  const open: Frame[] = [];
  let frame = toFrame(value);
  let written = "";
  let text = frame.list ? "[" : "{";
  let line = indent === 0 ? "" : `\n${" ".repeat(indent)}`;
  const step = " ".repeat(indent);
  const colon = indent === 0 ? ":" : ": ";
  for (;;) {
    const next = frame.entries.next();
    if (next.done === true) {
      line = line.slice(0, line.length - indent);
      text += frame.empty ? "" : line;
      text += frame.list ? "]" : "}";
      const outer = open.pop();
      if (outer === undefined) return written + text;
      frame = outer;
      continue;
    }
    text += frame.empty ? line : `,${line}`;
    frame.empty = false;
    let item: Value;
    if (frame.list) item = next.value as Value;
    else {
      const [key, member] = next.value as [string, Value];
      text += JSON.stringify(key) + colon;
      item = member;
    }
    checkLength(written.length + text.length);
    if (text.length > flatLength) {
      written += toFlat(text);
      text = "";
    }
    if (!isContainer(item)) {
      text += scalarText(item);
      continue;
    }
    open.push(frame);
    frame = toFrame(item);
    text += frame.list ? "[" : "{";
    if (indent > 0) line += step;
  }
}

interface Frame {
  readonly list: boolean;
  readonly entries: Iterator<Value | [string, Value]>;
  empty: boolean;
}

const toFrame = (value: List | Dictionary): Frame =>
  Array.isArray(value)
    ? { list: true, entries: value.values(), empty: true }
    : { list: false, entries: value.entries(), empty: true };

const isContainer = (value: Value): value is List | Dictionary =>
  Array.isArray(value) || value instanceof Map;

function scalarText(value: Exclude<Value, List | Dictionary>): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value === "boolean") return String(value);
  return value.kind === "number" ? value.text : JSON.stringify(value.text);
}
