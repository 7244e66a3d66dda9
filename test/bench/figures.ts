/** One line of the table: a ratio or a time, its spread over the rounds, and its target. */
export interface Figure {
  part: string;
  name: string;
  value: number;
  unit: "×" | "ms" | "µs" | "req/s" | "docs/s" | "MB" | "KB" | "a second" | "per request" | "messages";
  /** The lowest and the highest round; absent where rounds are not reported. */
  spread?: readonly [number, number];
  atLeast?: number;
  above?: number;
  atMost?: number;
}

export type Verdict = "pass" | "MISS" | "";

export function verdictOf({ value, atLeast, above, atMost }: Figure): Verdict {
  if (atLeast === undefined && above === undefined && atMost === undefined) return "";
  const reached =
    value >= (atLeast ?? Number.NEGATIVE_INFINITY) &&
    value > (above ?? Number.NEGATIVE_INFINITY) &&
    value <= (atMost ?? Number.POSITIVE_INFINITY);
  return reached ? "pass" : "MISS";
}

export type Target = Pick<Figure, "atLeast" | "above" | "atMost">;

/** The median of the rounds, with their spread. */
export function toFigure(
  part: string,
  name: string,
  unit: Figure["unit"],
  rounds: readonly number[],
  target: Target = {},
): Figure {
  const spread = [Math.min(...rounds), Math.max(...rounds)] as const;
  return { part, name, unit, value: median(rounds), ...(rounds.length > 1 && { spread }), ...target };
}

/** Ratios of adjacent rounds: what slows the machine for a while slows both sides of a round. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The nearest-rank percentile; `share` from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function toTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.part,
    figure.name,
    `${toShort(figure.value)} ${figure.unit}`,
    figure.spread === undefined ? "" : figure.spread.map(toShort).join(" … "),
    toTarget(figure),
    verdictOf(figure),
  ]);
  const table = [["part", "figure", "median", "rounds", "target", "verdict"], ...rows];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function toTarget({ atLeast, above, atMost }: Figure): string {
  if (atLeast !== undefined) return `≥ ${atLeast}`;
  if (above !== undefined) return `> ${above}`;
  return atMost === undefined ? "" : `≤ ${atMost}`;
}

function toShort(value: number): string {
  if (Number.isNaN(value)) return "n/a";
  if (value >= 100) return Math.round(value).toString();
  return value.toFixed(value >= 10 ? 1 : 2);
}
