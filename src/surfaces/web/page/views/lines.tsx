import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Icon } from "../ui/icon.tsx";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import sheet from "./lines.css";
import { linesOf } from "./list.tsx";
import parts from "./parts.css";
import { textTab } from "./parts.tsx";
import type { View, ViewProps, ViewTab } from "./view.ts";
import { Window } from "./window.tsx";

/** Lines of the document that the result keeps, among those that it drops, with the rule that decided where the tool tells it. */
export const linesView: View = {
  sheets: [glyphs, code, parts, sheet],
  tabs: (props) => (pairLines(props) === undefined ? [textTab] : [linesTab, textTab]),
  note(props) {
    const pairs = pairLines(props);
    if (pairs === undefined) return undefined;
    const kept = pairs.filter(({ isKept }) => isKept).length;
    return `${kept.toLocaleString()} of ${pairs.length.toLocaleString()} lines`;
  },
};

const linesTab: ViewTab = {
  id: "lines",
  label: "Lines",
  Component: Lines,
};

interface Line {
  text: string;
  isKept: boolean;
  /** The tool's remark about the line: its rule, or that it is the context of one that matches. */
  note: string | undefined;
}

/** Returns the lines of the document, each with whether the result has it; undefined if the result is something else, such as a count. */
export function pairLines(props: ViewProps): Line[] | undefined {
  const { input, options } = props;
  if (input.kind !== "text") return undefined;
  const given = input.text.split(/\r?\n/);
  if (given.at(-1) === "") given.pop();
  const kept = linesOf(props)
    .map((line) => line.replace(/\r$/, ""))
    .filter((line) => line !== "--" || given.includes("--"));
  const lines: Line[] = [];
  let at = 0;
  for (const [index, text] of given.entries()) {
    const found = kept[at];
    const match = found === undefined ? undefined : readKept(found, text, index + 1, options);
    if (match !== undefined) at++;
    lines.push({ text, isKept: match !== undefined, note: match?.note });
  }
  return at === kept.length ? lines : undefined;
}

/** Whether a line of the result is a line of the document, with what the tool puts before it. */
function readKept(
  kept: string,
  text: string,
  number: number,
  options: ViewProps["options"],
): { note: string | undefined } | undefined {
  if (options["lineNumbers"] === true) {
    if (kept === `${number}:${text}`) return { note: undefined };
    return kept === `${number}-${text}` ? { note: "around a match" } : undefined;
  }
  if (options["output"] === "rules")
    return kept.endsWith(`\t${text}`) ? { note: kept.slice(0, -text.length - 1) } : undefined;
  return kept === text ? { note: undefined } : undefined;
}

function Lines(props: ViewProps): JSX.Element {
  const lines = useMemo(() => pairLines(props) ?? [], [props.result, props.input]);
  return (
    <div class="v-lines" role="group" aria-label="Lines of the document" tabIndex={0}>
      <Window count={lines.length} height={1.375}>
        {(from, to) =>
          lines.slice(from, to).map(({ text, isKept, note }, at) => (
            <div class={isKept ? "v-kept" : "v-dropped"} key={from + at}>
              <span class="v-line-no">{from + at + 1}</span>
              {isKept ? <Icon name="check" /> : <span />}
              <span>
                <span class="unseen">{isKept ? "kept: " : "dropped: "}</span>
                <Glyphs>{text}</Glyphs>
              </span>
              {note === undefined ? null : (
                <span class="muted small">
                  <Glyphs>{note}</Glyphs>
                </span>
              )}
            </div>
          ))
        }
      </Window>
    </div>
  );
}
