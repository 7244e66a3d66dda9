import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useManyRuns } from "./many-runs.ts";
import { CopyValue } from "./parts.tsx";
import { Glyphs } from "./glyphs.tsx";
import type { ViewProps } from "./view.ts";

const key = "penknife.zones";
const first = [
  "UTC",
  "America/New_York",
  "America/Los_Angeles",
  "Europe/London",
  "Asia/Kolkata",
  "Asia/Tokyo",
];

const zones = signal(readZones());

function readZones(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    if (Array.isArray(kept) && kept.every((zone) => typeof zone === "string")) return kept as string[];
  } catch {
    // A browser may refuse its storage.
  }
  return first;
}

function keepZones(next: readonly string[]): void {
  zones.value = next;
  try {
    localStorage.setItem(key, JSON.stringify(next));
  } catch {
    // The choice holds until the page is left.
  }
}

/** One time in the zone that was asked for, in that of the browser and in those that a person keeps. */
export function Zones(props: ViewProps): JSX.Element {
  const asked = typeof props.options["to"] === "string" ? props.options["to"] : "UTC";
  const local = useMemo(() => Intl.DateTimeFormat().resolvedOptions().timeZone, []);
  const all = [...new Set([asked, local, ...zones.value])];
  const runs = useManyRuns(props, "to", all);
  return (
    <div class="v-view">
      <div class="card">
        <dl class="v-props">
          {runs.value.map(({ value, result }) => (
            <div key={value}>
              <dt>
                <Glyphs>{String(value)}</Glyphs>
                {value === local ? <span class="tag accent">this browser</span> : null}
              </dt>
              <dd>
                <code class="v-grow">
                  <Glyphs>{result ?? (result === null ? "no such time" : "…")}</Glyphs>
                </code>
                {typeof result === "string" ? <CopyValue title={`Time in ${value}`} text={result} /> : null}
                {value === asked || value === local ? null : (
                  <button
                    type="button"
                    class="v-remove"
                    onClick={() => keepZones(zones.value.filter((zone) => zone !== value))}
                  >
                    Remove<span class="unseen"> {value}</span>
                  </button>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <p class="v-row">
        {zones.value.includes(asked) ? null : (
          <button type="button" onClick={() => keepZones([...zones.value, asked])}>
            Keep {asked}
          </button>
        )}
        <span class="muted small">
          The tool runs once a row, in this tab. The zones are kept in this browser.
        </span>
      </p>
    </div>
  );
}
