import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import type { DataOf } from "../graph.ts";
import { choiceFilter, dayFilter, type Filters, segmentFilter } from "../ui/filters.tsx";
import { KeyName } from "../ui/key-name.tsx";
import { ShareBar } from "../ui/share-bar.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Text, toVisible } from "../ui/text.tsx";
import { ClockTime } from "../ui/time.tsx";
import { adoptSheet } from "../views/sheet.ts";
import sheet from "./usage.css";
import { Legend, UsageChart } from "./usage-chart.tsx";
import { type Counts, daysOf, fill, type Selection, type Span, type UsageReport } from "./usage-report.ts";
import { CsvButton, UsageTable, type UsageTableProps } from "./usage-table.tsx";

adoptSheet(sheet);

export type Key = NonNullable<DataOf<"UsageOwner">["keys"]>[number];

/** This hour, as the server sends it, and what was answered, refused and failed in the selected period. */
export function Figures({ now, shown }: { now: Now | undefined; shown: Shown | undefined }): JSX.Element {
  const all = shown?.report.times?.items ?? [];
  const sum = (name: keyof Counts): number => all.reduce((total, item) => total + item[name], 0);
  const requests = sum("requests");
  return (
    <dl class="now figures card">
      <Figure name="This hour" of={now && `of ${now.limit.toLocaleString()}`} value={now?.used}>
        {now === undefined ? null : <ShareBar part={now.used} whole={now.limit} isLimit />}
      </Figure>
      <Figure
        name={now?.resetAt ? `Left, until ${clock.format(Date.parse(now.resetAt))}` : "Left"}
        value={now?.remaining}
      />
      <Figure
        name={shown === undefined ? "Requests" : periods[shown.selection.period]}
        value={shown && requests}
      />
      <Figure name="Refused" value={shown && sum("refused")} of={shareOf(sum("refused"), requests)} />
      <Figure name="Failed" value={shown && sum("failed")} of={shareOf(sum("failed"), requests)} />
    </dl>
  );
}

type Now = DataOf<"UsageNow">["usage"];

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

const shareOf = (part: number, whole: number): string | undefined =>
  whole === 0 ? undefined : percent.format(part / whole);

interface FigureProps {
  name: string;
  value: number | undefined;
  /** Stands beside the value. */
  of?: string | undefined;
  children?: ComponentChildren;
}

const Figure = ({ name, value, of, children }: FigureProps): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>
      {value?.toLocaleString() ?? "–"} {of === undefined ? null : <span class="muted small">{of}</span>}
      {children}
    </dd>
  </div>
);

const Moment = ({ at, style }: { at: string; style: Intl.DateTimeFormatOptions }): JSX.Element => (
  <time dateTime={at}>{new Intl.DateTimeFormat(undefined, style).format(new Date(at))}</time>
);

const periods = { "24h": "24 hours", day: "One day", "7d": "7 days", "90d": "90 days" };

/** Fields that select a period and a key. */
export const toFilters = (keys: readonly Key[]): Filters<Selection> => ({
  period: segmentFilter("Period", [
    ["24h", periods["24h"]],
    ["day", periods.day],
    ["7d", periods["7d"]],
    ["90d", periods["90d"]],
  ]),
  day: dayFilter(
    "Day (UTC)",
    () => daysOf(Date.now()),
    ({ period }) => period === "day",
  ),
  key: choiceFilter<string>("Key", [["", "All keys"]], () => keys.map((key) => [key.id, toLabel(key)])),
});

/** A report, and what was selected for it. */
export interface Shown {
  report: UsageReport;
  span: Span;
  selection: Selection;
  /** When it was read. */
  at: string;
}

const hourStyle = { weekday: "short", hour: "2-digit", minute: "2-digit" } as const;
const dayStyle = { day: "numeric", month: "short", timeZone: "UTC" } as const;

interface ReportProps extends Shown {
  keys: readonly Key[];
  /** Requests an hour of the account. */
  limit: number | undefined;
}

/** The requests of the selected period over time, by key and by tool. */
export function Report(props: ReportProps): JSX.Element {
  const tables = tablesOf(props);
  return (
    <>
      <OverTime {...props} table={tables.times} />
      <Breakdown byKey={tables.byKey} byTool={tables.byTool} />
    </>
  );
}

function OverTime({
  report,
  span,
  selection,
  limit,
  at,
  table,
}: ReportProps & { table: UsageTableProps }): JSX.Element {
  const view = useSignal("chart");
  const byHour = span.stepMs < 86_400_000;
  const format = new Intl.DateTimeFormat(undefined, byHour ? hourStyle : dayStyle);
  const isLimited = byHour && selection.key === "";
  return (
    <section class="card" aria-label="Requests over time">
      <header>
        <h2 id="times">{byHour ? "Requests by hour" : "Requests by day"}</h2>
        <Legend />
        <span class="muted small end">
          As of <ClockTime at={at} />
        </span>
        <Segmented
          label="View"
          options={[
            ["chart", "Chart"],
            ["table", "Table"],
          ]}
          value={view.value}
          onSelect={(next) => (view.value = next)}
        />
        <CsvButton of={table} />
      </header>
      {view.value === "chart" ? (
        <UsageChart
          unit={byHour ? "hours" : "days"}
          limit={isLimited ? limit : undefined}
          bars={fill(report.times?.items ?? [], span).map(({ at: time, ok, refused, failed }) => ({
            label: format.format(new Date(time)),
            tick: byHour ? clock.format(new Date(time)) : format.format(new Date(time)),
            ok,
            refused,
            failed,
          }))}
        />
      ) : (
        <UsageTable {...table} />
      )}
    </section>
  );
}

function Breakdown({ byKey, byTool }: { byKey: UsageTableProps; byTool: UsageTableProps }): JSX.Element {
  const chosen = useSignal("key");
  const id = useId();
  const table = chosen.value === "key" ? byKey : byTool;
  return (
    <section class="card" aria-label="By key and by tool">
      <header>
        <Tabs
          label="Requests by"
          tabs={[
            { id: "key", label: "By key" },
            { id: "tool", label: "By tool" },
          ]}
          chosen={chosen.value}
          panel={id}
          onChoose={(next) => (chosen.value = next)}
        />
        <CsvButton of={table} />
      </header>
      <div role="tabpanel" id={id} aria-labelledby={`${id}-${chosen.value}`}>
        <UsageTable {...table} />
      </div>
    </section>
  );
}

function tablesOf({
  report,
  span,
  selection,
  keys,
}: ReportProps): Record<"times" | "byKey" | "byTool", UsageTableProps> {
  const byHour = span.stepMs < 86_400_000;
  const style = byHour ? hourStyle : dayStyle;
  const file = `usage-${selection.period === "day" ? selection.day : selection.period}`;
  const known = new Map(keys.map((key) => [key.id, key]));
  const unit = byHour ? "hour" : "day";
  return {
    times: {
      caption: byHour ? "Requests by hour" : "Requests by day (UTC)",
      heading: byHour ? "Hour" : "Day",
      columns: [unit],
      file: `${file}-by-${unit}`,
      rows: fill(report.times?.items ?? [], span).map(({ at, ...item }) => ({
        ...item,
        id: at,
        name: <Moment at={at} style={style} />,
        cells: [at],
      })),
    },
    byKey: {
      caption: "Requests by key",
      heading: "Key",
      columns: ["key", "name", "start"],
      file: `${file}-by-key`,
      rows: (report.byKey?.items ?? []).map(({ key, ...item }) => {
        const id = key ?? "-";
        const of = known.get(id);
        return {
          ...item,
          id,
          name: <UsedKey id={id} of={of} />,
          cells: [id, of?.name ?? "", of?.start ?? ""],
        };
      }),
    },
    byTool: {
      caption: "Requests by tool",
      heading: "Tool",
      columns: ["tool"],
      file: `${file}-by-tool`,
      rows: (report.byTool?.items ?? []).map(({ tool, ...item }) => {
        const id = tool ?? "-";
        return {
          ...item,
          id,
          name: id === "-" ? "No tool: refused before it was known" : <Text>{id}</Text>,
          cells: [id],
        };
      }),
    },
  };
}

const UsedKey = ({ id, of }: { id: string; of: Key | undefined }): JSX.Element =>
  id === "-" ? <>No key: a session</> : of === undefined ? <code>{id}</code> : <KeyName of={of} />;

const toLabel = ({ name, start }: Key): string =>
  name === null ? `${start}…` : `${toVisible(name)} (${start}…)`;
