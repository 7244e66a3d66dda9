import { compareCodePoints } from "./code-point-order.ts";
import { createKeyReader } from "./key-reader.ts";

/**
 * Sorts the members of every object by Unicode code point of their decoded keys; equal keys keep their order.
 * The document must be valid and on one line. Apart from the sorting itself it is linear: every value is
 * copied once, from the top down, however deep it lies.
 */
export function sortKeys(data: Uint8Array): Uint8Array {
  const objects = findObjects(data);
  const result = new Uint8Array(data.length);
  let written = 0;
  /** Parts of the document still to be written; the next one is last. */
  const parts: Part[] = [{ from: 0, to: data.length, object: 0 }];
  for (let part = parts.pop(); part; part = parts.pop()) {
    const object = objects[part.object];
    const to = object && object.from < part.to ? object.from : part.to;
    result.set(data.subarray(part.from, to), written);
    written += to - part.from;
    if (!object || to === part.to) continue;
    parts.push({ from: object.to, to: part.to, object: object.next });
    pushSorted(parts, object, objects.length);
  }
  return result;
}

/** `object` is the index of the first object that starts in or after this part of the document. */
interface Part {
  from: number;
  to: number;
  object: number;
}

interface Member extends Part {
  key: string;
}

/** `next` is the index of the first object that starts after this one. */
interface JsonObject {
  from: number;
  to: number;
  next: number;
  members: Member[];
}

function pushSorted(parts: Part[], { from, to, members }: JsonObject, noObject: number): void {
  // A comma follows the first of several members.
  const comma = members[0]?.to ?? 0;
  const sorted = members.toSorted((a, b) => compareCodePoints(a.key, b.key));
  parts.push({ from: to - 1, to, object: noObject });
  for (const [index, member] of sorted.toReversed().entries()) {
    if (index > 0) parts.push({ from: comma, to: comma + 1, object: noObject });
    parts.push(member);
  }
  parts.push({ from, to: from + 1, object: noObject });
}

/** Returns all objects in the order of their starts. */
function findObjects(data: Uint8Array): JsonObject[] {
  const objects: JsonObject[] = [];
  /** The open containers; an array is undefined. */
  const open: (JsonObject | undefined)[] = [];

  const readKey = createKeyReader(data);
  const startMember = (from: number): void => {
    const to = endOfString(data, from);
    open.at(-1)?.members.push({ key: readKey(from, to), from, to, object: objects.length });
  };
  const endMember = (to: number): void => {
    const member = open.at(-1)?.members.at(-1);
    if (member) member.to = to;
  };

  for (let at = 0; at < data.length; at++) {
    const byte = data[at];
    if (byte === 0x22) {
      at = endOfString(data, at) - 1;
    } else if (byte === 0x7b) {
      const object = { from: at, to: 0, next: 0, members: [] };
      objects.push(object);
      open.push(object);
      if (data[at + 1] === 0x22) startMember(at + 1);
    } else if (byte === 0x5b) {
      open.push(undefined);
    } else if (byte === 0x2c && open.at(-1)) {
      endMember(at);
      startMember(at + 1);
    } else if (byte === 0x7d || byte === 0x5d) {
      endMember(at);
      const object = open.pop();
      if (object) Object.assign(object, { to: at + 1, next: objects.length });
    }
  }
  return objects;
}

/** Returns the offset after the string whose opening quote is at `from`; the string must be valid. */
export function endOfString(data: Uint8Array, from: number): number {
  let at = from + 1;
  while (data[at] !== 0x22) at += data[at] === 0x5c ? 2 : 1;
  return at + 1;
}
