import type { ComponentChildren, JSX } from "preact";
import { Text, toVisible } from "../ui/text.tsx";
import { KeyName } from "../ui/key-name.tsx";
import type { DataOf } from "../graph.ts";
import { choiceFilter, dayFilter, type Filters } from "../ui/filters.tsx";
import { UsageChart } from "./usage-chart.tsx";
import { daysOf, fill, type Selection, type Span, type UsageReport } from "./usage-report.ts";
import { UsageTable } from "./usage-table.tsx";

export type Key = NonNullable<DataOf<"UsageOwner">["keys"]>[number];

/** Used and left of this hour, as the server sends it. */
export function ThisHour({
  now,
  isFree,
}: {
  now: DataOf<"UsageNow">["usage"] | undefined;
  isFree: boolean;
}): JSX.Element {
  return (
    <section class="now" aria-labelledby="now">
      <h2 id="now">This hour</h2>
      {now === undefined ? null : (
        <>
          <meter aria-labelledby="now" max={now.limit} high={now.limit * 0.9} value={now.used} />
          <dl class="figures">
            <Figure name="Used">{now.used.toLocaleString()}</Figure>
            <Figure name="Left">{now.remaining.toLocaleString()}</Figure>
            <Figure name="Limit">{now.limit.toLocaleString()}</Figure>
            <Figure name="Ends">
              {now.resetAt === null ? (
                "an hour after the next request"
              ) : (
                <Time at={now.resetAt} style={{ hour: "2-digit", minute: "2-digit" }} />
              )}
            </Figure>
          </dl>
          {isFree ? (
            <p>
              Calls of a free account count by address, 100 an hour for each, and it has no keys. Pro accounts
              have 1,000 requests an hour and team accounts 10,000 or more: ask the operator of this server.
            </p>
          ) : null}
        </>
      )}
    </section>
  );
}

const Figure = ({ name, children }: { name: string; children: ComponentChildren }): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Time = ({ at, style }: { at: string; style: Intl.DateTimeFormatOptions }): JSX.Element => (
  <time dateTime={at}>{new Intl.DateTimeFormat(undefined, style).format(new Date(at))}</time>
);

/** Fields that select a period and a key. */
export const toFilters = (keys: readonly Key[]): Filters<Selection> => ({
  period: choiceFilter("Period", [
    ["24h", "The last 24 hours, by hour"],
    ["day", "One day, by hour"],
    ["7d", "7 days, by day"],
    ["90d", "90 days, by day"],
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
}

const hourStyle = { weekday: "short", hour: "2-digit", minute: "2-digit" } as const;
const dayStyle = { day: "numeric", month: "short", timeZone: "UTC" } as const;

/** The requests of the selected period over time, by key and by tool. */
export function Report({ report, span, selection, keys }: Shown & { keys: readonly Key[] }): JSX.Element {
  const byHour = span.stepMs < 86_400_000;
  const style = byHour ? hourStyle : dayStyle;
  const file = `usage-${selection.period === "day" ? selection.day : selection.period}`;
  const known = new Map(keys.map((key) => [key.id, key]));
  const times = fill(report.times?.items ?? [], span).map((item) => ({ ...item, id: item.at }));
  return (
    <>
      <section aria-labelledby="times">
        <h2 id="times">{byHour ? "By hour" : "By day"}</h2>
        <UsageChart
          unit={byHour ? "hours" : "days"}
          bars={times.map(({ id, requests }) => ({
            label: new Intl.DateTimeFormat(undefined, style).format(new Date(id)),
            value: requests,
          }))}
        />
        <details>
          <summary>Numbers</summary>
          <UsageTable
            caption={byHour ? "Requests by hour" : "Requests by day (UTC)"}
            heading={byHour ? "Hour" : "Day"}
            columns={[byHour ? "hour" : "day"]}
            file={`${file}-by-${byHour ? "hour" : "day"}`}
            rows={times.map((item) => ({
              ...item,
              name: <Time at={item.id} style={style} />,
              cells: [item.id],
            }))}
          />
        </details>
      </section>
      <section aria-labelledby="by-key">
        <h2 id="by-key">By key</h2>
        <UsageTable
          caption="Requests by key"
          heading="Key"
          columns={["key", "name", "start"]}
          file={`${file}-by-key`}
          rows={(report.byKey?.items ?? []).map(({ key, ...item }) => {
            const id = key ?? "-";
            const of = known.get(id);
            return {
              ...item,
              id,
              name: <UsedKey id={id} of={of} />,
              cells: [id, of?.name ?? "", of?.start ?? ""],
            };
          })}
        />
      </section>
      <section aria-labelledby="by-tool">
        <h2 id="by-tool">By tool</h2>
        <UsageTable
          caption="Requests by tool"
          heading="Tool"
          columns={["tool"]}
          file={`${file}-by-tool`}
          rows={(report.byTool?.items ?? []).map(({ tool, ...item }) => {
            const id = tool ?? "-";
            return {
              ...item,
              id,
              name: id === "-" ? "No tool: refused before it was known" : <Text>{id}</Text>,
              cells: [id],
            };
          })}
        />
      </section>
    </>
  );
}

const UsedKey = ({ id, of }: { id: string; of: Key | undefined }): JSX.Element =>
  id === "-" ? <>No key: a session</> : of === undefined ? <code>{id}</code> : <KeyName of={of} />;

const toLabel = ({ name, start }: Key): string =>
  name === null ? `${start}…` : `${toVisible(name)} (${start}…)`;
