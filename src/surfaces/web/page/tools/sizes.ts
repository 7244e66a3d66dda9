import { type Input, isEmpty } from "../editor/input.ts";

/** Returns the size of a text in bytes of UTF-8. Most long texts are ASCII, which is seen much faster than the text is encoded. */
export const sizeOf = (text: string): number =>
  /[\u0080-\uffff]/.test(text) ? new Blob([text]).size : text.length;

/** Returns a size in words: "309 B", "2.4 KB". */
export function showSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["KB", "MB", "GB"];
  let size = bytes;
  let unit = "B";
  while (size >= 999.5 && units.length > 0) {
    size /= 1000;
    unit = units.shift() ?? unit;
  }
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

/** Returns how long something took: "0.3 ms", "1.2 s". */
export const showTime = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

/** Returns the number of lines of a text. */
export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return text.endsWith("\n") ? lines - 1 : lines;
}

/** Formats by how a text begins. */
const beginnings: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^\s*-----BEGIN /, "PEM"],
  [/^\s*[[{]/, "JSON"],
  [/^\s*<(?:\?xml|svg)/, "XML"],
  [/^\s*<!?[a-z]/i, "HTML"],
  [/^(?:ey[\w-]+\.){2}[\w-]*\s*$/, "JWT"],
];

/** Returns what an input is, by its beginning; undefined for nothing. @param accepts What the tool accepts. */
export function kindOfInput(input: Input, accepts: string | undefined): string | undefined {
  if (isEmpty(input)) return undefined;
  if (input.kind === "file") return input.name;
  const head = input.text.slice(0, 10_000);
  const found = beginnings.find(([pattern]) => pattern.test(head))?.[1];
  return found ?? (accepts !== undefined && /^[A-Z.][A-Za-z0-9.]*$/.test(accepts) ? accepts : "Text");
}
