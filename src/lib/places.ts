import type { FaultPlace } from "./fault.ts";
import { findPointers } from "./json/find-pointers.ts";
import { locateAll, type Position } from "./json/position.ts";

/** A place of a document in every notation. */
export interface Place extends Position {
  /** In bytes, from 0. */
  offset: number;
}

/**
 * Returns line, column and byte offset of places in a document, in one pass for all of them. Pointers are looked up in valid
 * JSON. An empty place is the start of the document.
 */
export function placesOf(document: string | Uint8Array, places: readonly FaultPlace[]): Place[] {
  const bytes = typeof document === "string" ? Buffer.from(document) : document;
  const offsets = places.map(({ offset = 0 }) => offset);
  const indexed: { at: number; index: number }[] = [];
  const pointed: { at: number; pointer: string }[] = [];
  for (const [at, { offset, index, pointer }] of places.entries()) {
    if (offset !== undefined) continue;
    if (index !== undefined) indexed.push({ at, index });
    else if (pointer !== undefined) pointed.push({ at, pointer });
  }
  if (indexed.length > 0) {
    const text = typeof document === "string" ? document : Buffer.from(document).toString();
    const found = toByteOffsets(
      text,
      indexed.map(({ index }) => index),
    );
    for (const [order, { at }] of indexed.entries()) offsets[at] = found[order] ?? 0;
  }
  if (pointed.length > 0) {
    const found = findPointers(
      bytes,
      pointed.map(({ pointer }) => pointer),
    );
    for (const [order, { at }] of pointed.entries()) offsets[at] = found[order] ?? 0;
  }
  return locateAll(bytes, offsets).map((position, at) => ({ ...position, offset: offsets[at] ?? 0 }));
}

/** Converts indexes in UTF-16 code units to offsets in UTF-8, in one pass. */
function toByteOffsets(text: string, indexes: readonly number[]): number[] {
  const offsets = indexes.map(() => 0);
  let at = 0;
  let bytes = 0;
  for (const [order, index] of [...indexes.entries()].toSorted(([, a], [, b]) => a - b)) {
    bytes += Buffer.byteLength(text.slice(at, index));
    at = index;
    offsets[order] = bytes;
  }
  return offsets;
}
