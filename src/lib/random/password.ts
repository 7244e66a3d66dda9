import { drawText } from "./text.ts";

/**
 * Draws a password with at least one character of each class. Redraws whole passwords until one qualifies,
 * which keeps all qualifying passwords equally likely; placing one character of each class would not.
 */
export function drawPassword(
  draw: (limit: number) => number,
  classes: readonly (readonly string[])[],
  length: number,
): string {
  const pool = classes.flat();
  const sets = classes.map((one) => new Set(one));
  for (;;) {
    const password = drawText(draw, pool, length);
    if (sets.every((set) => [...password].some((character) => set.has(character)))) return password;
  }
}

/** Returns the probability that one draw has a character of each class, by inclusion and exclusion. */
export function chanceOfAll(sizes: readonly number[], length: number): number {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let chance = 0;
  for (let missing = 0; missing < 2 ** sizes.length; missing++) {
    let rest = total;
    let sign = 1;
    for (const [index, size] of sizes.entries()) {
      if ((missing >> index) & 1) {
        rest -= size;
        sign = -sign;
      }
    }
    chance += sign * (rest / total) ** length;
  }
  return chance;
}
