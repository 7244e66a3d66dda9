/** A key or an index as a token of a JSON pointer (RFC 6901 §3). */
export const escapeToken = (token: PropertyKey): string =>
  typeof token === "number" ? String(token) : String(token).replaceAll("~", "~0").replaceAll("/", "~1");

export const unescapeToken = (token: string): string => token.replaceAll("~1", "/").replaceAll("~0", "~");

/** The JSON pointer of a path of keys and indexes. */
export function toPointer(path: Iterable<PropertyKey>): string {
  let pointer = "";
  for (const part of path) pointer += `/${escapeToken(part)}`;
  return pointer;
}

/** Longer pointers are cut at an ancestor: each of many messages could otherwise carry the whole document. */
export const longestPointer = 4096;

/** As `toPointer`, at most `longestPointer` characters. */
export function toShortPointer(path: Iterable<PropertyKey>): string {
  let pointer = "";
  for (const part of path) {
    const token = `/${escapeToken(part)}`;
    if (pointer.length + token.length > longestPointer) break;
    pointer += token;
  }
  return pointer;
}

/** The tokens of a pointer; undefined if the text is not a pointer. */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  const tokens = pointer.slice(1).split("/");
  return pointer.includes("~") ? tokens.map(unescapeToken) : tokens;
}
