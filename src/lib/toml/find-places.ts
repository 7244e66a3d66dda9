import { toShortPointer } from "../json/pointer.ts";
import { endLine, skipSpace, toCursor } from "./cursor.ts";
import { readKey } from "./keys.ts";
import { createTables, type Path } from "./tables.ts";
import { readValue } from "./values.ts";

/**
 * Returns the index, in UTF-16 code units, of each pointer (RFC 6901) in a valid document. A table has the
 * place of its header; values within brackets or braces have the place of these.
 */
export function findTomlPlaces(text: string, pointers: readonly string[]): number[] {
  const places = new Map<string, number>();
  const cursor = toCursor(text, "1.1");
  const tables = createTables(cursor);
  const remember = (path: Path | undefined, index: number, name?: string): void => {
    const keys = name === undefined ? [] : [name];
    for (let at = path; at !== undefined; at = at.outer) keys.push(String(at.name));
    // A table without a header of its own has the place of the table inside it.
    for (let length = keys.length; length > 0; length--) {
      const pointer = toShortPointer(keys.slice(keys.length - length).toReversed());
      if (places.has(pointer)) break;
      places.set(pointer, index);
    }
  };
  while (cursor.at < text.length) {
    skipSpace(cursor);
    const start = cursor.at;
    const unit = text.charCodeAt(start);
    if (unit === 0x5b) {
      const isArray = text.charCodeAt(start + 1) === 0x5b;
      cursor.at += isArray ? 2 : 1;
      const key = readKey(cursor);
      skipSpace(cursor);
      cursor.at += isArray ? 2 : 1;
      tables.open(key, isArray);
      remember(tables.current.path, start);
    } else if (unit !== 0x0a && unit !== 0x0d && unit !== 0x23 && start < text.length) {
      const key = readKey(cursor);
      skipSpace(cursor);
      cursor.at++;
      skipSpace(cursor);
      const place = tables.place(tables.current, key);
      remember(place.table.path, cursor.at, place.name);
      readValue(cursor, tables, place);
    }
    endLine(cursor);
  }
  return pointers.map((pointer) => {
    for (let part = pointer; part !== ""; part = part.slice(0, part.lastIndexOf("/"))) {
      const found = places.get(part);
      if (found !== undefined) return found;
    }
    return 0;
  });
}
