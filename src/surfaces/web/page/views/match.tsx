import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { memberOf, readJson, textOf } from "./json.ts";
import { stepFrom, useJumpKeys } from "./jump-keys.ts";
import sheet from "./match.css";
import { createLocator, type Match, matchesOf, type Place } from "./matches.ts";
import parts from "./parts.css";
import { Banner, jsonTab } from "./parts.tsx";
import { explainPattern } from "./pattern-words.ts";
import type { View, ViewProps, ViewTab } from "./view.ts";
import { Window } from "./window.tsx";

/** Matches of a regular expression: in the text, and as a list with groups and places. */
export const matchView: View = {
  sheets: [glyphs, code, parts, sheet],
  tabs: ({ result }) => [
    { ...matchesTab, count: Number(textOf(memberOf(readJson(result as string), "count")) ?? 0) },
    textTab,
    explainTab,
    jsonTab,
  ],
  note({ result }) {
    const value = readJson(result as string);
    const count = Number(textOf(memberOf(value, "count")) ?? 0);
    const more = textOf(memberOf(value, "truncated")) === "true" ? ", there are more" : "";
    return `${count.toLocaleString()} ${count === 1 ? "match" : "matches"}${more}`;
  },
  marks: (props) =>
    foundIn(props).flatMap(({ from, to, groups }, index) => {
      const side = index % 2 === 0 ? "a" : "b";
      return [
        { from, to, kind: `match-${side}` as const },
        ...groups.flatMap((group) =>
          group.from === undefined
            ? []
            : [
                {
                  from: group.from,
                  to: group.from + (group.text?.length ?? 0),
                  kind: `group-${side}` as const,
                },
              ],
        ),
      ];
    }),
};

const patternOf = ({ options: { pattern } }: Pick<ViewProps, "options">): string =>
  typeof pattern === "string" ? pattern : "";

const foundIn = (props: Pick<ViewProps, "result" | "options">): Match[] =>
  matchesOf(props.result as string, patternOf(props));

const matchesTab: ViewTab = {
  id: "matches",
  label: "Matches",
  Component: Matches,
  text: (props) =>
    foundIn(props)
      .map(({ text }) => text)
      .join("\n"),
};

function Matches({ result, input, onGoTo, options }: ViewProps): JSX.Element {
  const matches = useMemo(() => foundIn({ result, options }), [result]);
  const locate = useMemo(() => createLocator(input.kind === "text" ? input.text : ""), [input]);
  const current = useSignal(-1);
  const place = useRef<HTMLDivElement>(null);
  const hint = textOf(memberOf(readJson(result as string), "hint"));

  function go(index: number): void {
    const match = matches[index];
    if (match === undefined) return;
    current.value = index;
    const { line, column } = locate(match.from);
    onGoTo?.(line, column);
  }
  useJumpKeys((by) => {
    if (matches.length === 0) return;
    go(stepFrom(current.value, by, matches.length));
    place.current?.querySelector(`[data-row="${current.value}"]`)?.scrollIntoView({ block: "nearest" });
  });

  return (
    <div ref={place}>
      {matches.length === 0 ? (
        <div class="v-view">
          <Banner tone="info" title="No match.">
            {hint ?? ""}
          </Banner>
        </div>
      ) : null}
      <Window count={matches.length} height={3.75}>
        {(from, to) =>
          matches
            .slice(from, to)
            .map((match, at) => (
              <Row
                match={match}
                index={from + at}
                places={input.kind === "text" ? [locate(match.from), locate(match.to)] : undefined}
                isCurrent={current.value === from + at}
                onGo={onGoTo === undefined || input.kind === "file" ? undefined : () => go(from + at)}
                key={from + at}
              />
            ))
        }
      </Window>
      {options["engine"] === "js" ? null : (
        <div class="v-view">
          <Banner tone="info" title="RE2">
            runs in linear time, without look-around and backreferences. It reads <code>(?P&lt;y&gt;…)</code>{" "}
            and <code>(?&lt;y&gt;…)</code>. For the rest, choose JavaScript, which has a deadline.
          </Banner>
        </div>
      )}
    </div>
  );
}

interface RowProps {
  match: Match;
  index: number;
  places: readonly [Place, Place] | undefined;
  isCurrent: boolean;
  onGo: (() => void) | undefined;
}

function Row({ match: { text, from, to, groups }, index, places, isCurrent, onGo }: RowProps): JSX.Element {
  const [start, end] = places ?? [];
  const where =
    start === undefined || end === undefined
      ? `${from} – ${to}`
      : `${start.line}:${start.column} – ${end.line}:${end.column}`;
  const content = (
    <>
      <span class="muted">{index + 1}</span>
      <code>
        {text === "" ? (
          <span class="muted">empty</span>
        ) : (
          <mark class={index % 2 === 0 ? "v-match-a" : "v-match-b"}>
            <Glyphs white>{text.length > 2000 ? `${text.slice(0, 2000)}…` : text}</Glyphs>
          </mark>
        )}
      </code>
      <span class="muted small" title={`UTF-16 code units ${from} to ${to}`}>
        {where}
      </span>
      <span class="v-groups">
        {groups.map(({ name, text: found }, one) => (
          <span class="v-group" key={one}>
            <span class="muted">
              <Glyphs>{name}</Glyphs>
            </span>{" "}
            {found === undefined ? (
              <span class="muted">no part of it</span>
            ) : (
              <code>
                <Glyphs white>{found}</Glyphs>
              </code>
            )}
          </span>
        ))}
      </span>
    </>
  );
  return onGo === undefined ? (
    <div class="v-row-line v-match" data-row={index}>
      {content}
    </div>
  ) : (
    <button
      type="button"
      class="v-row-line v-match"
      data-row={index}
      aria-current={isCurrent ? "true" : undefined}
      onClick={onGo}
    >
      {content}
    </button>
  );
}

/** Characters of the document that are drawn with marks. */
const maxMarked = 100_000;

const textTab: ViewTab = {
  id: "text",
  label: "In the text",
  Component(props) {
    const { input } = props;
    if (input.kind === "file")
      return <p class="v-view muted">The document is a file; the list has the places.</p>;
    return (
      <pre class="v-marked" tabIndex={0} role="group" aria-label="The text with its matches">
        {split(input.text.slice(0, maxMarked), foundIn(props))}
        {input.text.length > maxMarked ? "…" : null}
      </pre>
    );
  },
  text: ({ input }) => (input.kind === "text" ? input.text : ""),
};

function split(text: string, matches: readonly Match[]): JSX.Element[] {
  const pieces: JSX.Element[] = [];
  let at = 0;
  for (const [index, { from, to, groups }] of matches.entries()) {
    if (from < at || from >= text.length) continue;
    const inner: JSX.Element[] = [];
    let within = from;
    for (const { from: start, text: part = "" } of groups) {
      if (start === undefined || start < within || part === "") continue;
      inner.push(<Glyphs key={`t${start}`}>{text.slice(within, start)}</Glyphs>);
      inner.push(
        <b key={`g${start}`}>
          <Glyphs>{part}</Glyphs>
        </b>,
      );
      within = start + part.length;
    }
    pieces.push(<Glyphs key={`t${index}`}>{text.slice(at, from)}</Glyphs>);
    pieces.push(
      <mark class={index % 2 === 0 ? "v-match-a" : "v-match-b"} key={`m${index}`}>
        {inner}
        <Glyphs>{text.slice(within, to)}</Glyphs>
      </mark>,
    );
    at = to;
  }
  pieces.push(<Glyphs key="end">{text.slice(at)}</Glyphs>);
  return pieces;
}

const explainTab: ViewTab = {
  id: "explain",
  label: "Explain",
  Component(props) {
    return (
      <ol class="v-explain">
        {explainPattern(patternOf(props)).map(({ text, words, depth, kind }, index) => (
          <li key={index} class={`v-depth-${Math.min(depth, 8)}`}>
            <code class={`v-${kind}`}>
              <Glyphs>{text}</Glyphs>
            </code>
            <span>{words}</span>
          </li>
        ))}
      </ol>
    );
  },
  text: (props) =>
    explainPattern(patternOf(props))
      .map(({ text, words }) => `${text}\t${words}`)
      .join("\n"),
};
