import { drawText } from "./text.ts";

/**
 * A password with a character of each class at least. Whole passwords are drawn until one has them: each
 * that qualifies is as likely as any other, which setting a character of each class in would not give.
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

/** How likely one draw is to have a character of each class, by inclusion and exclusion. */
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
