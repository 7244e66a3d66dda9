import { createKeyReader } from "./key-reader.ts";
import { endOfString } from "./sort-keys.ts";

/** Reports whether no object has two equal keys. The document must be valid and on one line. */
export function hasUniqueKeys(data: Uint8Array): boolean {
  const readKey = createKeyReader(data);
  /**
   * The keys of the open containers; an array is undefined. Sets have a seeded hash, so collisions cannot be
   * provoked.
   */
  const open: (Set<string> | undefined)[] = [];
  let keys: Set<string> | undefined;
  let at = 0;
  while (at < data.length) {
    const byte = data[at];
    if (byte === 0x22) {
      at = endOfString(data, at);
      continue;
    }
    at++;
    if (byte === 0x7d || byte === 0x5d) {
      keys = open.pop();
    } else if (byte === 0x5b || byte === 0x7b) {
      open.push(keys);
      keys = byte === 0x7b ? new Set() : undefined;
    }
    if (keys && (byte === 0x7b || byte === 0x2c) && data[at] === 0x22) {
      const to = endOfString(data, at);
      const before = keys.size;
      if (keys.add(readKey(at, to)).size === before) return false;
      at = to;
    }
  }
  return true;
}
