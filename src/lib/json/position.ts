export interface Position {
  line: number;
  column: number;
}

/** Returns line and column of a byte offset, both from 1, the column in code points. */
export function locate(data: Uint8Array, offset: number): Position {
  return locateAll(data, [offset])[0] as Position;
}

/** Like `locate` for many offsets, in one pass: a hostile document makes them numerous and far apart. */
export function locateAll(data: Uint8Array, offsets: readonly number[]): Position[] {
  const order = offsets.map((_, index) => index).toSorted((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0));
  const positions: Position[] = offsets.map(() => ({ line: 1, column: 1 }));
  let at = 0;
  let line = 1;
  let column = 1;
  for (const index of order) {
    const target = Math.min(offsets[index] ?? 0, data.length);
    for (; at < target; at++) {
      const byte = data[at] as number;
      if (byte === 0x0a || (byte === 0x0d && data[at + 1] !== 0x0a)) {
        line++;
        column = 1;
      } else if ((byte & 0xc0) !== 0x80) {
        column++;
      }
    }
    positions[index] = { line, column };
  }
  return positions;
}
