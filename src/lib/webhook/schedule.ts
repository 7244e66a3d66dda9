/** When a delivery is tried again: delays that grow by a factor, each longer or shorter by chance. */
export interface BackoffOptions {
  /** In all, the first included. */
  attempts: number;
  /** Before the second attempt, milliseconds. */
  firstDelayMs: number;
  /** Of each delay to the one before it, at least 1. */
  factor: number;
  maxDelayMs: number;
}

/** A delay is up to this part of it longer or shorter, so that what failed at once does not come back at once. */
export const jitter = 0.2;

/** Whole milliseconds to wait before the attempt of this number; 0 before the first. `random` gives so many random bytes. */
export function delayBefore(
  attempt: number,
  options: BackoffOptions,
  random: (size: number) => Uint8Array,
): number {
  const [a = 0, b = 0, c = 0, d = 0] = random(4);
  const chance = (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) / 0xffffffff;
  return Math.round(nominalDelay(attempt, options) * (1 + jitter * (2 * chance - 1)));
}

/** From the first attempt to the last, where each delay is as short, and as long, as chance can make it. */
export function spanOf(options: BackoffOptions): { shortestMs: number; longestMs: number } {
  let sum = 0;
  for (let attempt = 2; attempt <= options.attempts; attempt++) sum += nominalDelay(attempt, options);
  return { shortestMs: sum * (1 - jitter), longestMs: sum * (1 + jitter) };
}

/** Without chance. A power too large to be a number is above the greatest delay all the same. */
const nominalDelay = (attempt: number, { firstDelayMs, factor, maxDelayMs }: BackoffOptions): number =>
  attempt < 2 ? 0 : Math.min(maxDelayMs, firstDelayMs * factor ** (attempt - 2));
