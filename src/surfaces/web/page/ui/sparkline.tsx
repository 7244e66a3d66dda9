import type { JSX } from "preact";
import { adoptSheet } from "../views/sheet.ts";
import sheet from "./sparkline.css";

adoptSheet(sheet);

/** Bars are of two hours, so that they can be told apart. */
const hoursOfBar = 2;
const height = 16;

/** The course of numbers by the hour, in small bars; nothing where all are 0. It repeats a number that stands beside it. */
export function Sparkline({ counts }: { counts: readonly number[] }): JSX.Element | null {
  const bars = Array.from({ length: Math.ceil(counts.length / hoursOfBar) }, (_, index) =>
    counts.slice(index * hoursOfBar, (index + 1) * hoursOfBar).reduce((sum, count) => sum + count, 0),
  );
  const most = Math.max(...bars, 0);
  if (most === 0) return null;
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${bars.length * 6} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bars.map((count, index) => {
        const tall = count === 0 ? 0 : Math.max(1, (count / most) * height);
        return <rect x={index * 6} y={height - tall} width="5" height={tall} rx="1" key={index} />;
      })}
    </svg>
  );
}
