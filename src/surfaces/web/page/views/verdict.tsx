import type { JSX } from "preact";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import parts from "./parts.css";
import { Banner, jsonTab } from "./parts.tsx";
import report from "./report.css";
import sheet from "./verdict.css";
import type { View, ViewProps, ViewTab } from "./view.ts";

/** Whether two things belong together, in words; then what differs, one below the other. */
export const verdictView: View = {
  sheets: [glyphs, code, parts, report, sheet],
  tabs: () => [resultTab, jsonTab],
};

const resultTab: ViewTab = {
  id: "result",
  label: "Result",
  Component: Verdict,
  text: ({ report: found }) =>
    found?.errors.map(({ message }) => message).join("\n") || (found?.valid === true ? "Genuine" : ""),
};

function Verdict(props: ViewProps): JSX.Element {
  const { report: found, definition } = props;
  const errors = found?.errors ?? [];
  const isValid = found?.valid === true;
  const [first] = errors;
  return (
    <div class="v-view">
      <Banner tone={isValid ? "ok" : "bad"} title={isValid ? "Yes, it fits." : "No, it does not fit."}>
        {isValid ? (definition?.summary ?? "") : <Glyphs>{first?.message ?? ""}</Glyphs>}
      </Banner>
      <Difference {...props} />
      <ul class="v-rows card">
        {errors.map(({ message, severity, rule, pointer, line, column, offset }, index) => (
          <li key={index}>
            <span class={severity === "error" ? "tag bad" : "tag warn"}>
              <Glyphs>{severity}</Glyphs>
            </span>
            <span class="v-grow">
              <Glyphs>{message}</Glyphs>
            </span>
            <span class="muted small" title={`Line ${line}, column ${column}, byte ${offset}`}>
              <Glyphs>{rule}</Glyphs> <Glyphs>{pointer}</Glyphs>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const digest = /\b[\da-f]{32,128}\b/gi;

/** The digest that a message names below the one that was given, with the characters that differ marked. */
function Difference({ report: found, options }: ViewProps): JSX.Element | null {
  const actual = found?.errors.flatMap(({ message }) => message.match(digest) ?? [])[0];
  if (actual === undefined) return null;
  const expected = Object.values(options)
    .flatMap((value) => (typeof value === "string" ? (value.match(digest) ?? []) : []))
    .find((one) => one.length === actual.length);
  if (expected === undefined) return null;
  return (
    <dl class="v-aligned">
      <dt>Expected</dt>
      <dd>{markDifferent(expected, actual)}</dd>
      <dt>Actual</dt>
      <dd>{markDifferent(actual, expected)}</dd>
    </dl>
  );
}

const markDifferent = (text: string, other: string): JSX.Element[] =>
  [...text].map((digit, index) =>
    digit.toLowerCase() === other[index]?.toLowerCase() ? (
      <span key={index}>{digit}</span>
    ) : (
      <mark key={index}>{digit}</mark>
    ),
  );
