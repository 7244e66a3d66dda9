import type { ComponentChildren, JSX } from "preact";
import { Text, toVisible } from "../ui/text.tsx";
import { UsageChart } from "./usage-chart.tsx";
import {
  daysOf,
  fill,
  type Period,
  periods,
  type Selection,
  type Span,
  type UsageReport,
} from "./usage-report.ts";
import { UsageTable } from "./usage-table.tsx";

/** A key, as far as its usage names it. */
export interface Key {
  id: string;
  name: string | null;
  start: string;
}

/** The quota of the current hour. */
export interface Now {
  used: number;
  limit: number;
  remaining: number;
  resetAt: string | null;
}

/** Used and left of this hour, as the server sends it. */
export function ThisHour({ now, isFree }: { now: Now | undefined; isFree: boolean }): JSX.Element {
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

export interface FiltersProps {
  selection: Selection;
  keys: readonly Key[];
  onSelect(changes: Partial<Selection>): void;
}

/** Fields that select a period and a key. */
export function Filters({ selection: { period, day, key }, keys, onSelect }: FiltersProps): JSX.Element {
  const { first, last } = daysOf(Date.now());
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <p>
        <label for="period">Period</label>
        <select
          id="period"
          value={period}
          onChange={({ currentTarget }) => onSelect({ period: currentTarget.value as Period })}
        >
          {periods.map(([id, text]) => (
            <option value={id} key={id}>
              {text}
            </option>
          ))}
        </select>
      </p>
      {period === "day" ? (
        <p>
          <label for="day">Day (UTC)</label>
          <input
            id="day"
            type="date"
            min={first}
            max={last}
            value={day}
            onChange={({ currentTarget }) => {
              if (currentTarget.value !== "" && currentTarget.validity.valid)
                onSelect({ day: currentTarget.value });
            }}
          />
        </p>
      ) : null}
      <p>
        <label for="key">Key</label>
        <select id="key" value={key} onChange={({ currentTarget }) => onSelect({ key: currentTarget.value })}>
          <option value="">All keys</option>
          {keys.map((each) => (
            <option value={each.id} key={each.id}>
              {toLabel(each)}
            </option>
          ))}
        </select>
      </p>
    </form>
  );
}

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
  const times = fill(report.times.items, span).map((item) => ({ ...item, id: item.at }));
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
          rows={report.byKey.items.map((item) => {
            const key = known.get(item.key);
            return {
              ...item,
              id: item.key,
              name: <KeyName id={item.key} of={key} />,
              cells: [item.key, key?.name ?? "", key?.start ?? ""],
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
          rows={report.byTool.items.map((item) => ({
            ...item,
            id: item.tool,
            name: item.tool === "-" ? "No tool: refused before it was known" : <Text>{item.tool}</Text>,
            cells: [item.tool],
          }))}
        />
      </section>
    </>
  );
}

function KeyName({ id, of }: { id: string; of: Key | undefined }): JSX.Element {
  if (id === "-") return <>No key: a session</>;
  if (of === undefined) return <code>{id}</code>;
  return (
    <>
      {of.name === null ? null : (
        <>
          <Text>{of.name}</Text>{" "}
        </>
      )}
      <code>{of.start}…</code>
    </>
  );
}

const toLabel = ({ name, start }: Key): string =>
  name === null ? `${start}…` : `${toVisible(name)} (${start}…)`;
