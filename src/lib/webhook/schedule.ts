/** Retry delays that grow by a factor, each randomly longer or shorter. */
export interface BackoffOptions {
  /** Total, including the first. */
  attempts: number;
  /** Milliseconds before the second attempt. */
  firstDelayMs: number;
  /** Ratio of each delay to the previous one, at least 1. */
  factor: number;
  maxDelayMs: number;
}

/** Maximum relative change of a delay, so that deliveries that failed together are not retried together. */
export const jitter = 0.2;

/**
 * Returns the whole milliseconds to wait before attempt `attempt`; 0 before the first. `random` returns that
 * many random bytes.
 */
export function delayBefore(
  attempt: number,
  options: BackoffOptions,
  random: (size: number) => Uint8Array,
): number {
  const [a = 0, b = 0, c = 0, d = 0] = random(4);
  const chance = (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) / 0xffffffff;
  return Math.round(nominalDelay(attempt, options) * (1 + jitter * (2 * chance - 1)));
}

/**
 * Returns the time from the first attempt to the last if every delay is as short, and as long, as possible.
 */
export function spanOf(options: BackoffOptions): { shortestMs: number; longestMs: number } {
  let sum = 0;
  for (let attempt = 2; attempt <= options.attempts; attempt++) sum += nominalDelay(attempt, options);
  return { shortestMs: sum * (1 - jitter), longestMs: sum * (1 + jitter) };
}

/** The delay before randomization. A power that overflows is still above the longest delay. */
const nominalDelay = (attempt: number, { firstDelayMs, factor, maxDelayMs }: BackoffOptions): number =>
  attempt < 2 ? 0 : Math.min(maxDelayMs, firstDelayMs * factor ** (attempt - 2));
