/** Escapes a key or an index as a token of a JSON pointer (RFC 6901 §3). */
export function escapeToken(token: PropertyKey): string {
  const text = String(token);
  return text.includes("~") || text.includes("/") ? text.replaceAll("~", "~0").replaceAll("/", "~1") : text;
}

export const unescapeToken = (token: string): string => token.replaceAll("~1", "/").replaceAll("~0", "~");

/** Writes a path of keys and indexes as a JSON pointer. */
export function toPointer(path: Iterable<PropertyKey>): string {
  let pointer = "";
  for (const part of path) pointer += `/${escapeToken(part)}`;
  return pointer;
}

/** Longer pointers end at an ancestor: otherwise each of many messages could repeat most of the document. */
export const maxPointer = 4096;

/** Like `toPointer`, with at most `maxPointer` characters. */
export function toShortPointer(path: Iterable<PropertyKey>): string {
  let pointer = "";
  for (const part of path) {
    const token = `/${escapeToken(part)}`;
    if (pointer.length + token.length > maxPointer) break;
    pointer += token;
  }
  return pointer;
}

/** Returns the tokens of a pointer, or undefined if the text is not a pointer. */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  const tokens = pointer.slice(1).split("/");
  return pointer.includes("~") ? tokens.map(unescapeToken) : tokens;
}
