import { spanOf } from "./schedule.ts";

const hourMs = 3_600_000;
/** Limits in hours: senders should retry for at least a day, and receivers cannot rely on more than three. */
const shortest = 24;
const maxHours = 72;

/** Returns what is wrong with a configured schedule as a sentence, or undefined if it is valid. */
export function validateSchedule({
  attempts,
  firstDelaySeconds,
  factor,
  maxDelayHours,
}: {
  attempts: number;
  firstDelaySeconds: number;
  factor: number;
  maxDelayHours: number;
}): string | undefined {
  const { shortestMs, longestMs } = spanOf({
    attempts,
    firstDelayMs: firstDelaySeconds * 1000,
    factor,
    maxDelayMs: maxDelayHours * hourMs,
  });
  if (shortestMs >= shortest * hourMs && longestMs <= maxHours * hourMs) return undefined;
  const [from, to] = [shortestMs, longestMs].map((ms) => (ms / hourMs).toFixed(1));
  return `webhooks.attempts, firstDelaySeconds, factor and maxDelayHours make a schedule of ${from} to ${to} hours; it must be ${shortest} to ${maxHours}. More attempts or longer delays make it longer.`;
}
