import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { PageLayout } from "../../../../catalog/tool.ts";
import type { ViewName } from "../../../../catalog/view-name.ts";
import { Editor, type EditorHandle } from "../editor/editor.tsx";
import type { Input } from "../editor/input.ts";
import type { Mark } from "../editor/marks.ts";
import { Divider } from "../ui/divider.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Definition } from "./definition.ts";
import { coloursOf } from "./input-colours.ts";
import { takesDocument } from "./fields.ts";
import { LineInput } from "./line-input.tsx";
import type { Place } from "./places.ts";
import { ResultPane, type ResultPaneProps } from "./result-pane.tsx";
import { kindOfInput, showSize, sizeOf } from "./sizes.ts";
import { swapDocuments } from "./state.ts";
import { pressJump } from "../views/jump-keys.ts";
import { labelOf } from "./words.ts";

export interface PanesProps extends Omit<ResultPaneProps, "onGoTo" | "isLed"> {
  /** Places of the document that are underlined. */
  marks: ReadonlySignal<readonly Mark[]>;
  editor: { current: EditorHandle | null };
  /** Set to the place of the cursor. */
  cursor: Signal<Place | undefined>;
}

/** Shares of the first column, and of the first row, before anybody moves the dividers. */
const shares: Readonly<Record<PageLayout, number>> = {
  split: 50,
  compare: 50,
  line: 50,
  generate: 50,
  check: 60,
  pattern: 60,
};
const rowShare = 40;
/** Views that are wider than the document that they are of. */
const wideViews: readonly (ViewName | undefined)[] = ["cards:jwt", "digests", "code:json+table"];
/** The share of a document beside such a view. */
const leastShare = 40;

export const layoutOf = (definition: Definition): PageLayout =>
  takesDocument(definition) ? (definition.page?.layout ?? "split") : "generate";

/** The documents and the result, arranged as the tool's page says. */
export function Panes(props: PanesProps): JSX.Element {
  const { state, runner, root, show, marks, editor, cursor, note, stretches, copy } = props;
  const { definition, input, second } = state;
  const grid = useRef<HTMLDivElement>(null);
  const layout = layoutOf(definition);
  const label = labelOf(definition, "data");
  const goTo = (line: number, column: number): void => editor.current?.goTo(line, column);
  const result = (
    <ResultPane
      state={state}
      runner={runner}
      root={root}
      show={show}
      note={note}
      stretches={stretches}
      copy={copy}
      isLed={layout === "line"}
      onGoTo={layout === "generate" ? undefined : goTo}
    />
  );
  if (layout === "generate" || layout === "line")
    return (
      <div class={`panes of-${layout}`}>
        <div class="narrow-column">
          {layout === "line" ? (
            <LineInput
              label={label}
              value={input}
              handle={editor}
              hasNow={definition.page?.hasNow === true}
              onSubmit={runner.run}
            />
          ) : null}
          {result}
        </div>
      </div>
    );
  const isWide = layout === "split" && wideViews.includes(definition.page?.view);
  const divider = (
    <Divider
      label={`Width of ${label}`}
      name={layout}
      isUpright
      grid={grid}
      first={isWide ? leastShare : shares[layout]}
    />
  );
  const isMatched = stretches.value.some(({ kind }) => kind.startsWith("match"));
  const first = (
    <section class="pane source-pane" aria-label={label}>
      <Editor
        label={label}
        value={input}
        handle={editor}
        tag={
          <>
            <Tag value={input} accepts={definition.accepts} />
            {layout === "pattern" && note.value !== undefined ? (
              <span class="tag accent">{note.value}</span>
            ) : null}
          </>
        }
        actions={
          isMatched || marks.value.length > 0 ? <Jumps what={isMatched ? "match" : "finding"} /> : null
        }
        marks={marks.value}
        stretches={stretches.value}
        extensions={coloursOf(definition)}
        onSubmit={runner.run}
        onCursor={(line, column) => (cursor.value = { line, column })}
      />
    </section>
  );
  if (second === undefined)
    return (
      <div class={`panes of-${layout}`} ref={grid}>
        {first}
        {divider}
        {result}
      </div>
    );
  const other = labelOf(definition, definition.page?.second ?? "");
  const beside = (
    <section class="pane source-pane" aria-label={other}>
      <Editor
        label={other}
        value={second}
        tag={<Tag value={second} accepts={undefined} />}
        extensions={coloursOf(definition)}
        onSubmit={runner.run}
        {...(isAlike(label, other) && {
          actions: (
            <button
              type="button"
              class="quiet only small"
              aria-label="Swap the documents"
              title="Swap the documents"
              onClick={() => swapDocuments(state)}
            >
              <Icon name="swap" />
            </button>
          ),
        })}
      />
    </section>
  );
  const isCompare = layout === "compare";
  return (
    <div class={isCompare ? "panes of-compare" : `panes of-${layout} with-two`} ref={grid}>
      {first}
      {isCompare ? divider : null}
      {beside}
      {isCompare ? (
        <Divider
          label="Height of the documents"
          name="compare.rows"
          isUpright={false}
          grid={grid}
          first={rowShare}
        />
      ) : (
        divider
      )}
      {result}
    </div>
  );
}

/** The buttons of F8 and Shift+F8. */
const Jumps = ({ what }: { what: string }): JSX.Element => (
  <>
    {(["Previous", "Next"] as const).map((word, index) => (
      <button
        type="button"
        class="quiet only small wide-only"
        aria-label={`${word} ${what}`}
        title={`${word} ${what} (${index === 0 ? "Shift F8" : "F8"})`}
        onClick={() => pressJump(index === 0 ? -1 : 1)}
        key={word}
      >
        <Icon name={index === 0 ? "up" : "below"} />
      </button>
    ))}
  </>
);

/** Whether two documents are of one kind, an old and a new one. */
const isAlike = (one: string, other: string): boolean => one.startsWith("Old ") && other.startsWith("New ");

/** Longest text, in UTF-16 code units, that is measured at each key. */
const maxMeasured = 50_000;
const restMs = 300;

/** Shows the kind and the size of an input. A long text is measured when it has rested. */
function Tag({ value, accepts }: { value: Signal<Input>; accepts: string | undefined }): JSX.Element | null {
  const input = value.value;
  const isLong = input.kind === "text" && input.text.length > maxMeasured;
  const measured = useSignal<{ input: Input; size: number } | undefined>(undefined);
  useEffect(() => {
    if (!isLong) return undefined;
    const timer = setTimeout(() => (measured.value = { input, size: sizeOf(input.text) }), restMs);
    return () => clearTimeout(timer);
  }, [input]);
  const kind = kindOfInput(input, accepts);
  if (kind === undefined) return null;
  const size = isLong ? measured.value?.size : input.kind === "text" ? sizeOf(input.text) : input.file.size;
  return <span class="tag cut">{size === undefined ? kind : `${kind} · ${showSize(size)}`}</span>;
}
