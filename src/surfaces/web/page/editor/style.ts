import { EditorView } from "@codemirror/view";

/** The look of the editor, in the colours of the page. */
export const theme = EditorView.theme({
  "&": {
    height: "100%",
    border: "1px solid var(--edge)",
    borderRadius: "var(--r2)",
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    fontSize: "0.9375rem",
  },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "-3px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", overflow: "auto" },
  // Without space above the first line: the number beside it would move when the view has measured that space.
  ".cm-content": { caretColor: "var(--text)", padding: "0" },
  ".cm-line": { padding: "0 0.75rem", unicodeBidi: "plaintext" },
  ".cm-gutters": {
    backgroundColor: "var(--panel)",
    color: "var(--muted)",
    borderInlineEnd: "1px solid var(--line)",
  },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)" },
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
