import { decodeKey } from "./decode-key.ts";
import { endOfString } from "./sort-keys.ts";
import { endOfValue } from "./value-end.ts";

/** One member of an object, as byte offsets. */
export interface Member {
  key: string;
  /** Offset of the opening quote of the key. */
  keyFrom: number;
  /** Offset of the value. */
  from: number;
  to: number;
}

/** Returns the members of the object that begins at `from` in a valid document, repeated keys included. */
export function membersOf(data: Uint8Array, from: number): Member[] {
  const members: Member[] = [];
  let at = skipSpace(data, from + 1);
  while (at < data.length && data[at] !== 0x7d) {
    const keyFrom = data[at] === 0x2c ? skipSpace(data, at + 1) : at;
    const keyTo = endOfString(data, keyFrom);
    const value = skipSpace(data, skipSpace(data, keyTo) + 1);
    const to = endOfValue(data, value);
    members.push({ key: decodeKey(data, keyFrom, keyTo), keyFrom, from: value, to });
    at = skipSpace(data, to);
  }
  return members;
}

export function skipSpace(data: Uint8Array, from: number): number {
  let at = from;
  while (data[at] === 0x20 || data[at] === 0x0a || data[at] === 0x0d || data[at] === 0x09) at++;
  return at;
}
