import { withoutTrace } from "../without-trace.ts";
import { type JqValue, typeName } from "./value.ts";
import { toText } from "./write-json.ts";

/** An error that a filter raised, which `try` catches: its value, most often a message. */
export class JqError extends Error {
  override readonly name = "JqError";
  readonly value: JqValue;

  constructor(value: JqValue) {
    super(typeof value === "string" ? value : "an error of a filter");
    this.value = value;
  }
}

/** Ends a filter: `halt` and `halt_error`, or a limit. Nothing catches it. */
export class JqHalt extends Error {
  override readonly name = "JqHalt";
  /** Undefined for `halt`. */
  readonly value: JqValue | undefined;
  readonly status: number;

  constructor(value: JqValue | undefined, status: number) {
    super("The filter ended itself");
    this.value = value;
    this.status = status;
  }
}

/** Raises an error of the filter. A trace would cost more than all else of a caught one, and nobody sees it. */
export function raise(value: JqValue): never {
  throw withoutTrace(() => new JqError(value));
}

/** Bytes of a value that a message shows, one more than are kept. */
const shownBytes = 30;

/** Names a value in a message, as jq does: `string ("very-long-long-long-long...")`. */
export const shown = (value: JqValue): string => `${typeName(value)} (${shorten(value)})`;

/** The JSON of a value, cut after 29 bytes with its closing delimiter. */
export function shorten(value: JqValue): string {
  const text = toText(value, { maxLength: 4096, cut: true });
  const bytes = Buffer.from(text);
  if (bytes.length < shownBytes) return text;
  const close =
    typeof value === "string" ? '"' : Array.isArray(value) ? "]" : value instanceof Map ? "}" : "";
  let end = shownBytes - 4 - close.length;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${bytes.toString("utf8", 0, end)}...${close}`;
}
