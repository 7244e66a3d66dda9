import { signal } from "@preact/signals";
import type { JSX } from "preact";

/** The present, to the minute: what shows an age is rendered again when it changes. */
const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 30_000);

const words = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const minute = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const second = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const units = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** An instant (RFC 3339), as people say it; the whole date and time are its title. `none` is shown for null. */
export function Time({ at, none = "never" }: { at: string | null; none?: string }): JSX.Element {
  if (at === null) return <>{none}</>;
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={whole.format(time)}>
      {toWords(time - now.value)}
    </time>
  );
}

/** Milliseconds before an end from which on its time of day matters. */
const nearMs = 2 * 86_400_000;

/** An instant at which something ends, as a date: people plan with it. */
export function EndDate({ at, none = "never" }: { at: string | null; none?: string }): JSX.Element {
  if (at === null) return <>{none}</>;
  const time = Date.parse(at);
  const isNear = Math.abs(time - now.value) < nearMs;
  return (
    <time dateTime={at} title={`${whole.format(time)}, ${toWords(time - now.value)}`}>
      {(isNear ? minute : day).format(time)}
    </time>
  );
}

/** The time of day of an instant; the whole date and time are its title. */
export const ClockTime = ({ at }: { at: string }): JSX.Element => (
  <time dateTime={at} title={whole.format(Date.parse(at))}>
    {second.format(Date.parse(at))}
  </time>
);

function toWords(ms: number): string {
  for (const [unit, size] of units)
    if (Math.abs(ms) >= size) return words.format(Math.trunc(ms / size), unit);
  return words.format(0, "minute");
}
