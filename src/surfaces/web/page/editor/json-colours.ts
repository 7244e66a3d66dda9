import { type Extension, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { jsonTokens } from "./json-tokens.ts";

/** Kinds of tokens, the names of groups in a pattern of a language. */
const kinds = ["key", "string", "number", "atom", "comment"] as const;

const marks = Object.fromEntries(
  kinds.map((kind) => [kind, Decoration.mark({ class: kind })] as const),
) as Record<(typeof kinds)[number], Decoration>;

/**
 * Colours the tokens that are seen; a parser of the whole text would take seconds of the page for 10 MB. The groups of the pattern
 * are named by kinds of tokens.
 * @param isOf Whether a text, of which it gets the beginning, is of the language.
 */
export const createColours = (pattern: RegExp, isOf: (head: string) => boolean = () => true): Extension =>
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = toDecorations(view, pattern, isOf);
      }

      update({ docChanged, viewportChanged, view }: ViewUpdate): void {
        if (docChanged || viewportChanged) this.decorations = toDecorations(view, pattern, isOf);
      }
    },
    { decorations: ({ decorations }) => decorations },
  );

/** Characters of a line that is coloured: of a longer one, only a part is laid out, which may begin inside of a string. */
const maxLine = 10_000;

function toDecorations(
  { state: { doc }, visibleRanges }: EditorView,
  pattern: RegExp,
  isOf: (head: string) => boolean,
): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  if (!isOf(doc.sliceString(0, 1000))) return builder.finish();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = doc.lineAt(at);
      at = line.to + 1;
      if (line.length > maxLine) continue;
      for (const { index, groups = {}, 0: token } of line.text.matchAll(pattern)) {
        const kind = kinds.find((one) => groups[one] !== undefined);
        if (kind === undefined) continue;
        const start = line.from + index + token.indexOf(groups[kind] ?? "");
        builder.add(start, start + (groups[kind] ?? "").length, marks[kind]);
      }
    }
  }
  return builder.finish();
}

export const jsonColours = createColours(jsonTokens, (head) => /^\s*[[{]/.test(head));
