import type { JSX } from "preact";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { toAge } from "./hint.ts";
import { Items, linesOf } from "./list.tsx";
import parts from "./parts.css";
import { Card, CopyValue, textTab } from "./parts.tsx";
import { strengthOf } from "./strength.ts";
import sheet from "./value.css";
import type { View, ViewProps, ViewTab } from "./view.ts";

/** Generated values: the first large, with its parts in colours, what it says and how hard it is to guess. */
export const valueView: View = {
  sheets: [glyphs, code, parts, sheet],
  tabs: () => [valuesTab, textTab],
  note(props) {
    const { length } = linesOf(props);
    return `${length.toLocaleString()} ${length === 1 ? "value" : "values"}`;
  },
};

const valuesTab: ViewTab = { id: "values", label: "Values", Component: Values };

function Values(props: ViewProps): JSX.Element {
  const [first = "", ...more] = linesOf(props);
  return (
    <div class="v-view">
      <section class="card">
        <div class="in v-first">
          <div class="v-first-value">
            <output class="v-value-large">
              {splitParts(first).map(({ text, class: name }, index) => (
                <span class={name} key={index}>
                  <Glyphs>{text}</Glyphs>
                </span>
              ))}
            </output>
            <CopyValue title="Value" text={first} />
          </div>
          <Strength {...props} />
          <Facts value={first} />
        </div>
      </section>
      {more.length === 0 ? null : (
        <Card title={`${more.length.toLocaleString()} more`} action={<CopyAll lines={[first, ...more]} />}>
          <Items lines={more} />
        </Card>
      )}
    </div>
  );
}

const CopyAll = ({ lines }: { lines: readonly string[] }): JSX.Element => (
  <span class="v-row">
    <span class="muted small">All {lines.length.toLocaleString()}</span>
    <CopyValue title="All values" text={lines.join("\n")} />
  </span>
);

interface Part {
  text: string;
  class: string | undefined;
}

const uuid = /^([\da-f]{8}-[\da-f]{4})-([\da-f])([\da-f]{3})-([\da-f]{4}-[\da-f]{12})$/i;
const ulid = /^([0-7][\dA-HJKMNP-TV-Z]{9})([\dA-HJKMNP-TV-Z]{16})$/;

/** Returns the parts of a value: time and version of an identifier, otherwise digits and symbols. */
export function splitParts(value: string): Part[] {
  const found = uuid.exec(value);
  if (found !== null) {
    const [, time = "", version = "", rest = "", random = ""] = found;
    return [
      { text: time, class: version === "7" ? "v-part-2" : undefined },
      { text: "-", class: undefined },
      { text: version, class: "v-part-1" },
      { text: `${rest}-${random}`, class: undefined },
    ];
  }
  const [, time, random] = ulid.exec(value) ?? [];
  if (time !== undefined && random !== undefined)
    return [
      { text: time, class: "v-part-2" },
      { text: random, class: undefined },
    ];
  return (value.match(/\d+|[A-Za-z]+|[^A-Za-z\d]+/g) ?? []).map((text) => ({
    text,
    class: /^\d/.test(text) ? "v-number" : /^[A-Za-z]/.test(text) ? undefined : "v-word",
  }));
}

/** Shows the facts that are encoded in an identifier, such as its time. */
function Facts({ value }: { value: string }): JSX.Element | null {
  const time = timeOf(value);
  const version = uuid.exec(value)?.[2];
  if (time === undefined && version === undefined) return null;
  return (
    <span class="muted">
      {time === undefined ? null : (
        <>
          <span class="v-part-2">time</span> {new Date(time).toISOString()}, {toAge(time)}
        </>
      )}
      {time !== undefined && version !== undefined ? " · " : ""}
      {version === undefined ? null : (
        <>
          <span class="v-part-1">version</span> {version}
        </>
      )}
    </span>
  );
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Returns the epoch milliseconds in a UUID of version 7 or a ULID. */
export function timeOf(value: string): number | undefined {
  const found = uuid.exec(value);
  if (found?.[2] === "7") return Number.parseInt((found[1] ?? "").replace("-", ""), 16);
  const [, time] = ulid.exec(value) ?? [];
  return time === undefined
    ? undefined
    : [...time].reduce((sum, digit) => sum * 32 + crockford.indexOf(digit), 0);
}

const levels = [
  [0, "Weak", "bad"],
  [50, "Fair", "warn"],
  [80, "Strong", "ok"],
  [112, "Very strong", "ok"],
] as const;

function Strength(props: ViewProps): JSX.Element | null {
  const [first = ""] = linesOf(props);
  if (uuid.test(first) || ulid.test(first)) return null;
  const { bits, pool } = strengthOf(first, props);
  if (bits === undefined) return null;
  const [, word, tone] = levels.findLast(([least]) => bits >= least) ?? levels[0];
  return (
    <>
      <svg
        class={`v-meter v-meter-${tone}`}
        viewBox="0 0 128 4"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect width="128" height="4" class="v-meter-rest" />
        <rect width={Math.min(bits, 128)} height="4" />
      </svg>
      <p class="v-row">
        <span class={`tag ${tone}`}>{word}</span>
        <span class="muted">
          {Math.floor(bits)} bits{pool === undefined ? "" : ` · ${pool} possible characters`}
        </span>
      </p>
    </>
  );
}
