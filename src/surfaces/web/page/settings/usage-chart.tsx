import type { JSX } from "preact";

export interface Bar {
  /** What the bar is for, such as an hour. */
  label: string;
  value: number;
}

const height = 100;

/** Bars over time. The table beside them has the same numbers. */
export function UsageChart({ bars, unit }: { bars: readonly Bar[]; unit: string }): JSX.Element {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  const top = bars.find(({ value }) => value === most);
  const summary = `${total.toLocaleString()} requests in ${bars.length} ${unit}${
    top === undefined ? "" : `; most of them, ${most.toLocaleString()}, ${top.label}`
  }`;
  return (
    <figure class="chart">
      <svg
        role="img"
        aria-label={summary}
        viewBox={`0 0 ${bars.length * 10} ${height}`}
        preserveAspectRatio="none"
      >
        {bars.map(({ label, value }, index) => (
          <rect
            key={label}
            x={index * 10 + 1}
            width="8"
            // A value above zero is always visible.
            y={height - Math.max(value > 0 ? 1.5 : 0, (value / most) * height)}
            height={Math.max(value > 0 ? 1.5 : 0, (value / most) * height)}
          >
            <title>{`${label}: ${value.toLocaleString()}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption>{summary}.</figcaption>
    </figure>
  );
}
