import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { Icon } from "../../ui/icon.tsx";
import { Glyphs } from "../glyphs.tsx";
import { stepFrom, useJumpKeys } from "../jump-keys.ts";
import { blockRows, Window } from "../window.tsx";
import { countLines, findChanges, type Fold, isFold, type Line, linesOf, toLines, unfold } from "./lines.ts";
import { markWords, type Stretch } from "./word-marks.ts";

export interface DiffBoxProps {
  /** A unified difference; empty if the texts are equal. */
  patch: string;
  /** The texts themselves, for the equal lines that it leaves out; undefined if they are not at hand. */
  before: string | undefined;
  after: string | undefined;
  isInline: boolean;
  wraps: boolean;
}

/** A difference, drawn in windows: with words marked, and equal stretches folded. */
export function DiffBox({ patch, before, after, isInline, wraps }: DiffBoxProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const opened = useSignal<ReadonlySet<number>>(new Set());
  const texts = useMemo(
    () =>
      before === undefined || after === undefined
        ? undefined
        : { olds: linesOf(before), news: linesOf(after) },
    [before, after],
  );
  const folded = useMemo(() => {
    opened.value = new Set();
    return toLines(patch, texts?.olds.length) ?? [];
  }, [patch, texts]);
  const lines = useMemo(
    () =>
      folded.flatMap((line) =>
        isFold(line) && texts !== undefined && opened.value.has(line.from.before)
          ? unfold(line, texts.olds, texts.news)
          : [line],
      ),
    [folded, opened.value],
  );
  const changes = useMemo(() => findChanges(lines), [lines]);
  const counts = useMemo(() => countLines(lines), [lines]);
  const current = useSignal(-1);

  function jump(by: 1 | -1): void {
    if (changes.length === 0) return;
    current.value = stepFrom(current.value, by, changes.length);
    scrollTo(place.current, changes[current.value] ?? 0);
  }
  useJumpKeys(jump);

  if (patch === "")
    return (
      <div class="v-view">
        <div class="banner ok">
          <Icon name="ok" />
          <strong>No difference.</strong>
        </div>
      </div>
    );
  return (
    <div class="v-diff-box">
      <div class="v-diff-bar">
        <span class="tag ok">+{counts.added.toLocaleString()}</span>
        <span class="tag bad">−{counts.removed.toLocaleString()}</span>
        <span class="muted small" role="status">
          {current.value < 0
            ? `${changes.length.toLocaleString()} ${changes.length === 1 ? "change" : "changes"}`
            : `Change ${(current.value + 1).toLocaleString()} of ${changes.length.toLocaleString()}`}
        </span>
        <span class="end" />
        <button type="button" onClick={() => jump(-1)}>
          <span class="v-flipped">
            <Icon name="down" />
          </span>
          <span class="unseen">Previous change</span>
        </button>
        <button type="button" onClick={() => jump(1)}>
          <Icon name="down" />
          <span class="unseen">Next change</span>
        </button>
      </div>
      <div
        class={`v-diff ${isInline ? "v-inline" : "v-beside"} ${wraps ? "v-wrapped" : ""}`}
        ref={place}
        role="group"
        aria-label="The difference"
        tabIndex={0}
      >
        <Window count={lines.length} height={1.25} key={String(isInline)}>
          {(from, to) =>
            lines.slice(from, to).map((line, index) => (
              <Drawn
                line={line}
                row={from + index}
                isInline={isInline}
                key={from + index}
                {...(texts !== undefined && {
                  onShow: (fold: Fold) => (opened.value = new Set([...opened.value, fold.from.before])),
                })}
              />
            ))
          }
        </Window>
      </div>
    </div>
  );
}

/** Scrolls to the block of a row, and to the row when it is drawn. */
function scrollTo(place: HTMLElement | null, row: number): void {
  place?.children[Math.floor(row / blockRows)]?.scrollIntoView({ block: "nearest" });
  requestAnimationFrame(() =>
    setTimeout(() => place?.querySelector(`[data-row="${row}"]`)?.scrollIntoView({ block: "center" }), 50),
  );
}

interface DrawnProps {
  line: Line;
  row: number;
  isInline: boolean;
  onShow?(fold: Fold): void;
}

function Drawn({ line, row, isInline, onShow }: DrawnProps): JSX.Element {
  if (isFold(line))
    return (
      <div class="v-skip" data-row={row}>
        <span>
          {line.count.toLocaleString()} equal {line.count === 1 ? "line" : "lines"}
        </span>
        {onShow === undefined ? null : (
          <button type="button" onClick={() => onShow(line)}>
            Show
          </button>
        )}
      </div>
    );
  const { before, after } = line;
  const isPair = before?.isChanged === true && after?.isChanged === true;
  const words = isPair ? markWords(before.text, after.text) : undefined;
  const left = <Cell side={before} sign="−" words={words?.before} />;
  const right = <Cell side={after} sign="+" words={words?.after} />;
  if (!isInline)
    return (
      <div class="v-line" data-row={row}>
        {left}
        {right}
      </div>
    );
  return (
    <div class="v-line" data-row={row}>
      {before?.isChanged === true ? left : null}
      {after === undefined ? null : right}
    </div>
  );
}

interface CellProps {
  side: { line: number; text: string; isChanged: boolean } | undefined;
  sign: "+" | "−";
  words: readonly Stretch[] | undefined;
}

function Cell({ side, sign, words }: CellProps): JSX.Element {
  if (side === undefined) return <div class="v-cell v-none" />;
  const { line, text, isChanged } = side;
  const Mark = sign === "+" ? "ins" : "del";
  return (
    <div class={isChanged ? `v-cell ${sign === "+" ? "v-added" : "v-removed"}` : "v-cell"}>
      <span class="v-line-number">{line}</span>
      <span class="v-sign">{isChanged ? sign : ""}</span>
      <span class="v-line-text">
        {words === undefined ? (
          <Glyphs white={isChanged}>{text}</Glyphs>
        ) : (
          words.map((stretch, index) =>
            stretch.isMarked ? (
              <Mark key={index}>
                <Glyphs white>{stretch.text}</Glyphs>
              </Mark>
            ) : (
              <Glyphs key={index}>{stretch.text}</Glyphs>
            ),
          )
        )}
      </span>
    </div>
  );
}
