import { EditorView } from "@codemirror/view";

/** The look of the editor, in the colours of the page. */
export const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", fontSize: "0.8125rem" },
  // The box around it shows the focus.
  "&.cm-focused": { outline: "0" },
  // The padding is not that of the content, which the numbers of the lines follow one measurement later.
  ".cm-scroller": {
    fontFamily: "var(--mono)",
    lineHeight: "1.25rem",
    overflow: "auto",
    padding: "0.375rem 0",
  },
  ".cm-content": { caretColor: "var(--text)", padding: "0" },
  ".cm-line": { padding: "0 0.75rem 0 0.5rem", unicodeBidi: "plaintext" },
  ".cm-gutters": { backgroundColor: "var(--code-ground, var(--panel))", color: "var(--muted)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.5rem", padding: "0 0.25rem 0 0.75rem" },
  ".cm-panels": { backgroundColor: "var(--sunk)", color: "var(--text)" },
  ".cm-panels-top": { borderBlockEnd: "1px solid var(--line)" },
  ".cm-textfield": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--edge)",
    fontSize: "0.875rem",
  },
  ".cm-button": {
    background: "var(--raised)",
    color: "var(--accent)",
    border: "1px solid var(--line)",
    borderRadius: "var(--r2)",
    fontSize: "0.875rem",
  },
  ".cm-panel.cm-search label": { fontSize: "0.875rem" },
  ".cm-searchMatch": { backgroundColor: "var(--warn-soft)", outline: "1px solid var(--edge)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--accent)" },
  ".unseen-character": {
    padding: "0 0.1875rem",
    border: "1px dashed var(--bad)",
    borderRadius: "3px",
    color: "var(--bad)",
    backgroundColor: "var(--bad-soft)",
  },
  // The contrast of each is at least 4.5 : 1 on the page.
  ".key": { color: "var(--code-key)" },
  ".string": { color: "var(--code-string)" },
  ".number": { color: "var(--code-number)" },
  ".atom": { color: "var(--code-word)" },
  ".comment": { color: "var(--muted)", fontStyle: "italic" },
  ".match-a": { backgroundColor: "var(--match-a)" },
  ".match-b": { backgroundColor: "var(--match-b)" },
  ".group-a": { backgroundColor: "var(--match-group)" },
  ".group-b": { backgroundColor: "var(--match-group-b)" },
  ".part-1": { color: "var(--part-1)" },
  ".part-2": { color: "var(--part-2)" },
  ".part-3": { color: "var(--part-3)" },
  ".faulty-line": { backgroundColor: "var(--bad-soft)" },
  ".mark": {
    textDecoration: "underline wavy 2px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".mark.error": {
    textDecorationColor: "var(--bad)",
    backgroundColor: "light-dark(#a8201a22, #ff9b9433)",
  },
  ".mark.warning": {
    textDecorationColor: "light-dark(#8a5a00, #ffc857)",
    backgroundColor: "var(--warn-soft)",
  },
});
