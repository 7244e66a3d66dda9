import { RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

/** Colours the tokens of JSON that are seen; a parser of the whole text would take seconds of the page for 10 MB. */
export const jsonColours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = toDecorations(view);
    }

    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.decorations = toDecorations(view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

/** Characters of a line that is coloured: of a longer one, only a part is laid out, which may begin inside of a string. */
const maxLine = 10_000;

function toDecorations({ state: { doc }, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  if (!/^\s*[[{]/.test(doc.sliceString(0, 1000))) return builder.finish();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = doc.lineAt(at);
      at = line.to + 1;
      if (line.length > maxLine) continue;
      for (const { index, groups = {}, 0: token } of line.text.matchAll(tokens)) {
        const kind =
          groups["key"] === undefined ? (groups["string"] === undefined ? "atom" : "string") : "key";
        const length = (groups["key"] ?? token).length;
        builder.add(line.from + index, line.from + index + length, kinds[kind]);
      }
    }
  }
  return builder.finish();
}

/** A name with its colon, a string, a number or a literal. A string that does not end in its line ends with it. */
const tokens =
  /(?<key>"(?:[^"\\]|\\.)*")\s*:|(?<string>"(?:[^"\\]|\\.)*"?)|-?\b\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

const kinds = {
  key: Decoration.mark({ class: "key" }),
  string: Decoration.mark({ class: "string" }),
  atom: Decoration.mark({ class: "atom" }),
} as const;
