/** Returns the items in random order: Fisher-Yates from the end, four bytes per draw. */
export function shuffle<Item>(items: readonly Item[], random: (size: number) => Uint8Array): Item[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = draw(random, last + 1);
    [result[last], result[other]] = [result[other] as Item, result[last] as Item];
  }
  return result;
}

/** Discards draws beyond the last whole multiple of `choices`: their remainder would favour low numbers. */
function draw(random: (size: number) => Uint8Array, choices: number): number {
  const fair = 2 ** 32 - (2 ** 32 % choices);
  for (;;) {
    const value = Buffer.from(random(4)).readUInt32BE();
    if (value < fair) return value % choices;
  }
}
