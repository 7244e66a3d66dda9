/** Returns a function that draws an integer from 0 to below `limit` (at most 2^24), uniformly. */
export function createDraw(random: (size: number) => Uint8Array): (limit: number) => number {
  let bytes: Uint8Array = new Uint8Array(0);
  let at = 0;
  const next = (): number => {
    if (at === bytes.length) {
      bytes = random(512);
      at = 0;
    }
    return bytes[at++] as number;
  };
  return (limit) => {
    const wide = limit > 256;
    const span = wide ? 2 ** 24 : 256;
    // Values above the last multiple of the limit are redrawn: their remainder would favour low numbers.
    const bound = span - (span % limit);
    for (;;) {
      const value = wide ? (next() << 16) | (next() << 8) | next() : next();
      if (value < bound) return value % limit;
    }
  };
}
