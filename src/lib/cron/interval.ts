import { counted } from "../counted.ts";
import { DocumentFault } from "../fault.ts";

/** A schedule that repeats after a time, counted from its start. */
export interface Interval {
  milliseconds: number;
  /** An English sentence without a full stop. */
  description: string;
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

const letters: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000 };

/** The longest interval: a hundred years. */
const maxMs = 36_525 * 86_400_000;

/**
 * Reads `@every 1h30m` (robfig/cron, which Kubernetes and Go use) and `rate(5 minutes)` (AWS); undefined if the text is
 * neither.
 * @throws DocumentFault with the index of a malformed one.
 */
export function readInterval(text: string): Interval | undefined {
  const every = /^\s*@every\s*/i.exec(text)?.[0];
  if (every !== undefined)
    return toInterval(readDuration(text.slice(every.length).trim(), every.length), every.length);
  const rate = /^\s*rate\(/i.exec(text)?.[0];
  if (rate === undefined) return undefined;
  const [, number = "", unit = "", plural = ""] =
    /^\s*(\d{1,9})\s+(minute|hour|day)(s?)\s*\)\s*$/i.exec(text.slice(rate.length)) ?? [];
  if (unit === "" || Number(number) === 0 || (Number(number) === 1) === (plural !== ""))
    throw new DocumentFault(
      "Expected a rate such as rate(1 minute), rate(5 minutes), rate(12 hours) or rate(7 days).",
      {
        index: rate.length,
      },
    );
  const size = units.find(([name]) => name === unit.toLowerCase())?.[1] ?? 0;
  return toInterval(Number(number) * size, rate.length);
}

function readDuration(text: string, index: number): number {
  if (!/^(?:\d{1,9}[hms])+$/.test(text))
    throw new DocumentFault("Expected a duration of h, m and s, such as @every 1h30m.", { index });
  return [...text.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, number, letter = ""]) => sum + Number(number) * (letters[letter] ?? 0),
    0,
  );
}

function toInterval(milliseconds: number, index: number): Interval {
  if (milliseconds < 1000 || milliseconds > maxMs)
    throw new DocumentFault("The interval must be a second to a hundred years.", { index });
  let rest = milliseconds;
  const parts: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(counted(count, name));
  }
  return {
    milliseconds,
    description: `Every ${parts.join(" and ")}, counted from the start of the schedule`,
  };
}
