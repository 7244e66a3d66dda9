import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";

// A page that formats JSON as most do: two boxes of CodeMirror, JSON.parse and JSON.stringify on the main thread.
const shared = [lineNumbers(), EditorView.lineWrapping, EditorView.theme({ "&": { height: "22rem" } })];
const result = new EditorView({ parent: document.body, state: toResult("") });

function toResult(doc: string): EditorState {
  return EditorState.create({ doc, extensions: [...shared, EditorState.readOnly.of(true)] });
}

const input = new EditorView({
  extensions: [
    ...shared,
    history(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return;
      document.body.setAttribute("aria-busy", "true");
      // The key is shown before the result is made.
      setTimeout(() => {
        result.setState(toResult(format(state.doc.toString())));
        document.body.setAttribute("aria-busy", "false");
      });
    }),
  ],
});
document.body.prepend(input.dom);

function format(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch (error) {
    return (error as Error).message;
  }
}
