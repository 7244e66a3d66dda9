import { spanOf } from "./schedule.ts";

const hourMs = 3_600_000;
/** Senders are expected to go on for a day at least, and nobody waits for longer than three. */
const shortest = 24;
const longest = 72;

/** What is wrong with a schedule as it is configured, a sentence; undefined where nothing is. */
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
  if (shortestMs >= shortest * hourMs && longestMs <= longest * hourMs) return undefined;
  const [from, to] = [shortestMs, longestMs].map((ms) => (ms / hourMs).toFixed(1));
  return `webhooks.attempts, firstDelaySeconds, factor and maxDelayHours make a schedule that takes from ${from} to ${to} hours; it has to be within ${shortest} and ${longest}. More attempts or longer delays make it longer.`;
}
