import { type EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutterLineClass } from "@codemirror/view";
import { offsetOf } from "./text-place.ts";

/** A place in a document to which a tool has something to say. */
export interface Mark {
  /** From 1. */
  line: number;
  /** From 1, in code points. */
  column: number;
  severity: "error" | "warning";
  message: string;
}

/** Replaces the marks of a view. */
export const setMarks = StateEffect.define<readonly Mark[]>();

/** Marks that are drawn; a document may have a finding in each of its lines. */
const maxMarks = 1000;

interface Drawn {
  places: DecorationSet;
  /** The lines with errors, and their numbers. */
  lines: DecorationSet;
  numbers: RangeSet<GutterMarker>;
}

/** Underlines the marked places, and tints the lines with errors. Both move with the text until there are new ones. */
export const marks = StateField.define<Drawn>({
  create: () => ({ places: Decoration.none, lines: Decoration.none, numbers: RangeSet.empty }),
  update({ places, lines, numbers }, { effects, state, changes }) {
    for (const effect of effects)
      if (effect.is(setMarks))
        return { places: toPlaces(state, effect.value), ...toLines(state, effect.value) };
    return { places: places.map(changes), lines: lines.map(changes), numbers: numbers.map(changes) };
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ places }) => places),
    EditorView.decorations.from(field, ({ lines }) => lines),
    gutterLineClass.from(field, ({ numbers }) => numbers),
  ],
});

const faultyLine = Decoration.line({ class: "faulty-line" });
const faultyNumber = new (class extends GutterMarker {
  override elementClass = "faulty-line";
})();

function toLines({ doc }: EditorState, list: readonly Mark[]): Pick<Drawn, "lines" | "numbers"> {
  const faulty = list
    .filter(({ line, severity }) => severity === "error" && line >= 1 && line <= doc.lines)
    .slice(0, maxMarks);
  const starts = [...new Set(faulty.map(({ line }) => doc.line(line).from))].toSorted((a, b) => a - b);
  return {
    lines: Decoration.set(starts.map((at) => faultyLine.range(at))),
    numbers: RangeSet.of(starts.map((at) => faultyNumber.range(at))),
  };
}

function toPlaces({ doc }: EditorState, list: readonly Mark[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const places = list
    .filter(({ line }) => line >= 1 && line <= doc.lines)
    .slice(0, maxMarks)
    .map(({ line, column, severity, message }) => {
      const { from, to, text } = doc.line(line);
      const at = Math.min(from + offsetOf(text, 1, column), to);
      // At the end of a line there is no character: the last one is marked.
      return { from: at === to ? Math.max(from, at - 1) : at, to: Math.min(at + 1, to), severity, message };
    })
    .filter(({ from, to }) => from < to)
    .toSorted((left, right) => left.from - right.from);
  for (const { from, to, severity, message } of places)
    builder.add(from, to, Decoration.mark({ class: `mark ${severity}`, attributes: { title: message } }));
  return builder.finish();
}

/** A stretch of a document, in UTF-16 code units; its kind is its class. */
export interface Stretch {
  from: number;
  to: number;
  kind: string;
}

/** Replaces the coloured stretches of a view. */
export const setStretches = StateEffect.define<readonly Stretch[]>();

/** Stretches that are drawn; a pattern may match at each character. */
const maxStretches = 10_000;

/** Colours stretches. They move with the text until there are new ones. */
export const stretches = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(found, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setStretches)) return colour(transaction.state, effect.value);
    return found.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function colour({ doc }: EditorState, list: readonly Stretch[]): DecorationSet {
  const ranges = list
    .filter(({ from, to }) => from >= 0 && from < to && to <= doc.length)
    .slice(0, maxStretches)
    .map(({ from, to, kind }) => Decoration.mark({ class: kind }).range(from, to));
  return Decoration.set(ranges, true);
}
