/** Upper bounds in seconds, from half a millisecond, a typical inline tool, to beyond the longest usual deadline. */
export const bounds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

export interface Histogram {
  observe(seconds: number): void;
  /** Cumulative counts by bound, the total count, and the sum of the observed values. */
  read(): { buckets: readonly { le: number | "+Inf"; count: number }[]; sum: number; count: number };
}

export function createHistogram(): Histogram {
  const counts = Array<number>(bounds.length + 1).fill(0);
  let sum = 0;

  return {
    observe(seconds) {
      let index = 0;
      while (index < bounds.length && seconds > (bounds[index] as number)) index++;
      counts[index] = (counts[index] as number) + 1;
      sum += seconds;
    },
    read() {
      let count = 0;
      const buckets = counts.map((own, index) => ({
        le: bounds[index] ?? ("+Inf" as const),
        count: (count += own),
      }));
      return { buckets, sum, count };
    },
  };
}
