import type { Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightWhitespace, ViewPlugin } from "@codemirror/view";
import { createColours } from "../../editor/json-colours.ts";
import { createFolding } from "./folding.ts";
import { languages } from "./languages.ts";

export interface CodeExtensionOptions {
  language: string | undefined;
  /** Whether white space and ends of lines are drawn. */
  white: boolean;
  /** Called with the offset of the cursor when it moves. */
  onCursor(offset: number): void;
  /** Called with what folds all parts, or shows them all again, and returns whether they are folded. */
  onReady(foldAll: () => boolean): void;
}

/** Returns what a box of code has: colours, folding, and a report of where the cursor is. */
export function createCodeExtensions({
  language,
  white,
  onCursor,
  onReady,
}: CodeExtensionOptions): Extension {
  const folding = createFolding();
  const tokens = languages[language ?? ""];
  return [
    tokens === undefined ? [] : createColours(tokens),
    white ? [highlightWhitespace(), lineEnds] : [],
    folding.extension,
    ViewPlugin.define((view) => {
      onReady(() => folding.foldAll(view));
      return {};
    }),
    highlightActiveLine(),
    EditorView.perLineTextDirection.of(false),
    EditorView.updateListener.of(({ selectionSet, state }) => {
      if (selectionSet) onCursor(state.selection.main.head);
    }),
    look,
  ];
}

const look = EditorView.theme({
  "&": {
    border: "0",
    borderRadius: "0",
    fontSize: "0.8125rem",
    backgroundColor: "var(--code-ground, var(--panel))",
  },
  ".cm-scroller": { lineHeight: "1.25rem" },
  ".cm-content": { padding: "0.5rem 0" },
  ".cm-gutters": { border: "0", backgroundColor: "var(--code-ground, var(--panel))" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.25rem" },
  ".cm-line": { direction: "ltr", unicodeBidi: "isolate" },
  // Nobody has chosen a line before the box had the focus.
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--accent-soft)" },
  ".cm-folds": { width: "1.25rem" },
  ".fold-arrow": { display: "block", cursor: "pointer", textAlign: "center", color: "var(--muted)" },
  ".fold-arrow::before": { content: '"⌄"' },
  ".fold-arrow.is-folded::before": { content: '"›"' },
  ".folded": {
    font: "inherit",
    border: "1px solid var(--edge)",
    borderRadius: "4px",
    padding: "0 0.375rem",
    margin: "0 0.25rem",
    background: "var(--sunk)",
    color: "var(--muted)",
    cursor: "pointer",
  },
});

/** Draws the end of each line; CR is drawn as the character that it is. */
const lineEnds = EditorView.theme({
  ".cm-line:not(:last-child)::after": { content: '"↵"', color: "var(--muted)" },
  // An empty line has a break of its own, below which the sign would stand.
  ".cm-line:not(:last-child):has(> br:only-child)::after": { content: "none" },
  ".cm-line:not(:last-child):has(> br:only-child)::before": { content: '"↵"', color: "var(--muted)" },
  ".cm-highlightSpace": {
    backgroundImage: "radial-gradient(circle at 50% 55%, var(--muted) 10%, transparent 12%)",
  },
});
