import type { JSX } from "preact";
import { toVisible } from "../ui/text.tsx";
import { localZone } from "../tools/fields.ts";
import code from "./code/code.css";
import sheet from "./cron.css";
import { day, format, instantOf, toMoment, toValues } from "./cron-words.ts";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { toLongAge } from "./hint.ts";
import { itemsOf, memberOf, readJson, textOf } from "./json.ts";
import parts from "./parts.css";
import { CopyValue, jsonTab, Properties, toWords } from "./parts.tsx";
import { textOfOutcome, useRunInTab } from "./run-in-tab.ts";
import table from "./table.css";
import type { View, ViewProps, ViewTab } from "./view.ts";

/** A schedule: in a sentence, field by field, over the next seven days, and its next runs. */
export const cronView: View = {
  sheets: [glyphs, code, parts, table, sheet],
  tabs: () => [runsTab, jsonTab],
  Lead,
};

const runsTab: ViewTab = {
  id: "runs",
  label: "Next runs",
  Component: Schedule,
  text: ({ result }) => runsOf(result as string).join("\n"),
};

const runsOf = (result: string): string[] =>
  itemsOf(memberOf(readJson(result), "runs")).map((run) => textOf(run) ?? "");

/** Members that are drawn in a way of their own. */
const drawn = new Set(["expression", "description", "fields", "runs", "timeZone", "dialect"]);

/** The schedule in a sentence, its next run, field by field, and over the next seven days. */
function Lead(props: ViewProps): JSX.Element {
  const value = readJson(props.result as string);
  const zone = zoneOf(props);
  const runs = runsOf(props.result as string);
  return (
    <div class="v-lead">
      <p class="v-big">
        <Glyphs>
          {textOf(memberOf(value, "description")) ?? textOf(memberOf(value, "expression")) ?? ""}
        </Glyphs>
      </p>
      {runs[0] === undefined ? null : (
        <p class="v-next">
          Next: <Glyphs>{toMoment(runs[0], zone)}</Glyphs>{" "}
          <span class="muted">{toLongAge(instantOf(runs[0])) ?? ""}</span>
        </p>
      )}
      <ul class="v-fields">
        {itemsOf(memberOf(value, "fields")).map((field, index) => (
          <li key={index}>
            <span class="muted small">
              <Glyphs>{textOf(memberOf(field, "field")) ?? ""}</Glyphs>
            </span>
            <code>
              <Glyphs>{textOf(memberOf(field, "expression")) ?? ""}</Glyphs>
            </code>
            <span class="small" title={toVisible(textOf(memberOf(field, "values")) ?? "")}>
              <Glyphs>{toValues(textOf(memberOf(field, "values")))}</Glyphs>
            </span>
          </li>
        ))}
      </ul>
      <Week runs={runs} zone={zone} props={props} />
    </div>
  );
}

const zoneOf = ({ result }: ViewProps): string =>
  textOf(memberOf(readJson(result as string), "timeZone")) ?? "UTC";

function Schedule(props: ViewProps): JSX.Element {
  const value = readJson(props.result as string);
  const zone = zoneOf(props);
  const runs = runsOf(props.result as string);
  const others =
    value?.kind === "object"
      ? value.members.flatMap(([name, member]) =>
          drawn.has(name)
            ? []
            : [{ label: toWords(name), text: textOf(member) ?? itemsOf(member).map(textOf).join("\n") }],
        )
      : [];
  const zones = [...new Set([zone, local, "UTC"])];
  return (
    <div class="v-view">
      {props.isLed === true ? null : <Lead {...props} />}
      <p class="muted">
        <code>
          <Glyphs>{textOf(memberOf(value, "expression")) ?? ""}</Glyphs>
        </code>{" "}
        · <Glyphs>{`${textOf(memberOf(value, "dialect"))} · ${zone}`}</Glyphs>
      </p>
      {others.length === 0 ? null : (
        <div class="card">
          <Properties rows={others} />
        </div>
      )}
      <div class="card">
        {runs.length === 0 ? (
          <p class="in muted">It never runs again.</p>
        ) : (
          <table class="v-data v-runs">
            <thead>
              <tr>
                {zones.map((one) => (
                  <th scope="col" key={one}>
                    <Glyphs>{one}</Glyphs>
                    {one === local && one !== zone ? ", this browser" : ""}
                  </th>
                ))}
                <th scope="col">RFC 3339</th>
                <th scope="col" class="v-number-cell">
                  When
                </th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr key={run}>
                  {zones.map((one, index) => (
                    <td class={index === 0 ? undefined : "muted"} key={one}>
                      <Glyphs>{toMoment(run, one)}</Glyphs>
                    </td>
                  ))}
                  <td>
                    <span class="v-row">
                      <code>
                        <Glyphs>{run}</Glyphs>
                      </code>
                      <CopyValue title="Run" text={run} />
                    </span>
                  </td>
                  <td class="v-number-cell">{toLongAge(instantOf(run)) ?? ""}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  );
}

const local = localZone();

/** Runs that are asked for to fill the week. */
const maxRuns = 1000;
/** The next seven days with their runs, on a ruler of hours. The page asks the tool, in the tab, for as many as it gives. */
function Week({
  runs,
  zone,
  props,
}: {
  runs: readonly string[];
  zone: string;
  props: ViewProps;
}): JSX.Element | null {
  const { callInTab, options, input } = props;
  const more = textOfOutcome(
    useRunInTab(callInTab, { count: maxRuns }, [props.result, input, JSON.stringify(options)]).value,
  );
  const all = more === undefined ? runs : runsOf(more);

  const begin = typeof options["from"] === "string" ? Date.parse(options["from"]) : Date.now();
  if (Number.isNaN(begin) || runs.length === 0) return null;
  const known = all.map(instantOf);
  const today = format(new Date().toISOString(), zone, { day: "numeric", month: "short" });
  const end = all.length >= maxRuns ? (known.at(-1) ?? begin) : begin + 7 * day;
  return (
    <ol class="v-week">
      {Array.from({ length: 7 }, (_, index) => {
        const date = new Date(begin + index * day).toISOString();
        const label = format(date, zone, { day: "numeric", month: "short" });
        const own = all.filter((run) => format(run, zone, { day: "numeric", month: "short" }) === label);
        const isKnown = begin + index * day <= end;
        return (
          <li class={own.length === 0 ? "v-off" : undefined} key={index}>
            <span class="small">{label === today ? "Today" : format(date, zone, { weekday: "short" })}</span>
            <b>{label}</b>
            <span class="small">
              {own.length === 0
                ? isKnown
                  ? "no runs"
                  : "not counted"
                : `${own.length.toLocaleString()} ${own.length === 1 ? "run" : "runs"}`}
            </span>
            <svg class="v-ticks" viewBox="0 0 96 8" preserveAspectRatio="none" aria-hidden="true">
              <line x1="0" x2="96" y1="8" y2="8" />
              {[...new Set(own.map((run) => Math.floor(minuteOf(run, zone) / 15)))].map((quarter) => (
                <rect x={quarter} y="0" width="0.9" height="7" key={quarter} />
              ))}
            </svg>
          </li>
        );
      })}
    </ol>
  );
}

function minuteOf(run: string, zone: string): number {
  const [hour = 0, minute = 0] = format(run, zone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
    .split(":")
    .map(Number);
  return hour * 60 + minute;
}
