import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import type { Counts } from "./usage-report.ts";

export interface Bar extends Pick<Counts, "ok" | "refused" | "failed"> {
  /** The hour or the day, as people read it. */
  label: string;
  /** The same in short, for the axis. */
  tick: string;
}

export interface UsageChartProps {
  bars: readonly Bar[];
  /** The plural of the unit of a bar, such as "hours". */
  unit: string;
  /** Requests that one bar may have; undefined if the bars are not those of the limit. */
  limit: number | undefined;
}

/** The parts of a bar, from below. */
const parts = [
  ["ok", "answered"],
  ["refused", "refused"],
  ["failed", "failed"],
] as const;

/** In pixels: the drawing is as wide as its place, so that its texts keep their size. */
const height = 230;
const [left, top, bottom] = [56, 10, 202];
const leastStep = 9;
const leastTickWidth = 64;

/** Bars of requests over time by their outcome. The table beside them has the same numbers. */
export function UsageChart({ bars, unit, limit }: UsageChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place, left + bars.length * leastStep);
  /** The bar whose numbers are shown; -1 for none. */
  const at = useSignal(-1);
  const id = useId();
  const totals = bars.map(sumOf);
  const most = Math.max(1, ...totals);
  // A limit far above all bars would make them invisible.
  const shownLimit = limit !== undefined && limit <= most * 4 ? limit : undefined;
  const scale = toScale(Math.max(most, shownLimit ?? 0));
  const step = (width.value - left) / Math.max(1, bars.length);
  const yOf = (value: number): number => bottom - (value / (scale.at(-1) ?? 1)) * (bottom - top);
  const everyTick = Math.ceil(leastTickWidth / step);
  const shown = bars[at.value];

  const pointAt = (clientX: number): void => {
    const box = place.current?.querySelector("svg")?.getBoundingClientRect();
    if (box === undefined) return;
    const index = Math.floor((clientX - box.left - left) / step);
    at.value = index >= 0 && index < bars.length ? index : -1;
  };

  return (
    <div
      class="chart"
      ref={place}
      role="group"
      aria-roledescription="chart"
      aria-label={summaryOf(bars, totals, unit)}
      aria-describedby={id}
      tabIndex={0}
      onPointerMove={({ clientX }) => pointAt(clientX)}
      onPointerLeave={() => (at.value = -1)}
      onBlur={() => (at.value = -1)}
      onKeyDown={(event) => walk(event, at, bars.length)}
    >
      <svg width={width.value} height={height} aria-hidden="true">
        {scale.map((value) => (
          <g key={value}>
            <line class="grid" x1={left} x2={width.value} y1={yOf(value)} y2={yOf(value)} />
            <text x={left - 8} y={yOf(value) + 4} text-anchor="end">
              {value.toLocaleString()}
            </text>
          </g>
        ))}
        {shown === undefined ? null : (
          <rect class="pointed" x={left + at.value * step} y={top} width={step} height={bottom - top} />
        )}
        {bars.map((bar, index) => (
          <Column key={bar.label} bar={bar} x={left + index * step} step={step} yOf={yOf} />
        ))}
        {bars.map(({ tick, label }, index) =>
          index % everyTick === 0 && left + index * step + leastTickWidth < width.value ? (
            <text x={left + index * step + 2} y={bottom + 18} key={label}>
              {tick}
            </text>
          ) : null,
        )}
        {shownLimit === undefined ? null : (
          <line class="limit" x1={left} x2={width.value} y1={yOf(shownLimit)} y2={yOf(shownLimit)} />
        )}
      </svg>
      <Tooltip id={id} bar={shown} x={left + at.value * step} step={step} width={width.value} />
    </div>
  );
}

interface ColumnProps {
  bar: Bar;
  x: number;
  step: number;
  yOf(value: number): number;
}

function Column({ bar, x, step, yOf }: ColumnProps): JSX.Element {
  let below = 0;
  return (
    <g>
      {parts.map(([name]) => {
        const value = bar[name];
        const y = yOf(below + value);
        // A part that is not empty is always visible.
        const size = value === 0 ? 0 : Math.max(1.5, yOf(below) - y);
        below += value;
        return (
          <rect
            class={name}
            key={name}
            x={x + step * 0.1}
            width={step * 0.8}
            y={yOf(below - value) - size}
            height={size}
          />
        );
      })}
    </g>
  );
}

interface TooltipProps extends Pick<ColumnProps, "x" | "step"> {
  id: string;
  bar: Bar | undefined;
  width: number;
}

/** The numbers of a bar, beside it. */
function Tooltip({ id, bar, x, step, width }: TooltipProps): JSX.Element {
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: element } = tip;
    if (element === null) return;
    const own = element.offsetWidth;
    const after = x + step + gap;
    element.style.left = `${after + own > width ? Math.max(0, x - own + gap) : after + gap}px`;
  });
  return (
    <div ref={tip} class="tip" id={id} role="status" hidden={bar === undefined}>
      {bar === undefined ? null : (
        <>
          <strong>{bar.label}</strong>
          {parts.map(([name, text]) => (
            <span key={name}>
              <i class={`dot ${name}`} /> {text} <b>{bar[name].toLocaleString()}</b>
            </span>
          ))}
        </>
      )}
    </div>
  );
}

/** Pixels between a bar and its numbers; as much is left of the drawing. */
const gap = 12;

/** Explains the colours of the bars. */
export const Legend = (): JSX.Element => (
  <span class="legend muted small">
    {parts.map(([name, text]) => (
      <span key={name}>
        <i class={`dot ${name}`} /> {text}
      </span>
    ))}
  </span>
);

const sumOf = ({ ok, refused, failed }: Bar): number => ok + refused + failed;

function summaryOf(bars: readonly Bar[], totals: readonly number[], unit: string): string {
  const total = totals.reduce((sum, value) => sum + value, 0);
  const most = Math.max(...totals);
  const highest = total === 0 ? undefined : bars[totals.indexOf(most)];
  const peak = highest === undefined ? "" : `; most of them, ${most.toLocaleString()}, ${highest.label}`;
  return `${total.toLocaleString()} requests in ${bars.length} ${unit}${peak}`;
}

/** Returns round values from 0 to at least `most`. */
export function toScale(most: number): number[] {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 2.5, 5, 10]
    .map((factor) => factor * power)
    .find((one) => one >= rough && one % 1 === 0);
  const size = step ?? 10 * power;
  return Array.from({ length: Math.ceil(most / size) + 1 }, (_, index) => index * size);
}

function walk(event: KeyboardEvent, at: Signal<number>, count: number): void {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: at.value < 0 ? count - 1 : Math.max(0, at.value - 1),
    ArrowRight: Math.min(count - 1, at.value + 1),
    Home: 0,
    End: count - 1,
    Escape: -1,
  };
  const next = steps[event.key];
  if (next === undefined) return;
  event.preventDefault();
  at.value = next;
}

/** The width of an element in pixels, as it changes; at least `least`, for which a narrow screen scrolls, at first to its end. */
function useWidth(place: { readonly current: HTMLElement | null }, least: number): Signal<number> {
  const width = useSignal(least);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      width.value = Math.max(least, element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    requestAnimationFrame(() => (element.scrollLeft = element.scrollWidth));
    return () => observer.disconnect();
  }, [least]);
  return width;
}
