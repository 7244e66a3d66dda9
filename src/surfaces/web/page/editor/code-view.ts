import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, Prec, Text, Transaction } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { painted } from "../painted.ts";
import { type Mark, marks, setMarks, setStretches, type Stretch, stretches } from "./marks.ts";
import { jsonColours } from "./json-colours.ts";
import { theme } from "./style.ts";
import { offsetOf } from "./text-place.ts";
import { toHex, unseen } from "./unseen.ts";

/** A box of text that lays out only what is seen of it, so that 10 MB are no burden. */
export interface CodeView {
  setText(text: string): void;
  setReadOnly(isReadOnly: boolean): void;
  setMarks(marks: readonly Mark[]): void;
  setStretches(stretches: readonly Stretch[]): void;
  /** Selects the character at a place, in lines and code points from 1, and scrolls to it. */
  goTo(line: number, column: number): void;
  focus(): void;
  close(): void;
}

export interface CodeViewOptions {
  /** The name of the box for screen readers. */
  label: string;
  isReadOnly: boolean;
  /** Whether long lines are wrapped; true by default. */
  wraps?: boolean;
  /** In the place of the colours of JSON. */
  extensions?: Extension;
  /** Called with the text after each change that a person makes. */
  onChange?(text: string): void;
  /** Called by Ctrl+Enter and Cmd+Enter. */
  onSubmit?(): void;
  /** Called with the place of the cursor, in lines and code points from 1, when it moves. */
  onCursor?(line: number, column: number): void;
}

/** Longest text, in UTF-16 code units, that `onChange` is called with before a key is drawn. Putting a longer one together takes time. */
const maxToldAtOnce = 100_000;
/** Longest text, in UTF-16 code units, whose replacement by the page can be undone. */
const maxKept = 20_000;

/**
 * Shows a view in an element. The style of the library is adopted by a shadow root there: in the document it would be a
 * `<style>` element, which the policy of the pages refuses.
 */
export function showCodeView(place: HTMLElement, options: CodeViewOptions): CodeView {
  const root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
  const readOnly = new Compartment();

  let { isReadOnly } = options;
  /** A text that was not yet reported through `onChange`. */
  let untold: Text | undefined;

  const toState = (text: string): EditorState =>
    EditorState.create({
      doc: Text.of(text.split("\n")),
      extensions: [
        // CR stays a character of its line: the tools get what was pasted.
        EditorState.lineSeparator.of("\n"),
        readOnly.of(toReadOnly(isReadOnly)),
        Prec.high(keymap.of([{ key: "Mod-Enter", run: submit }])),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
        history(),
        search({ top: true }),
        lineNumbers(),
        highlightSpecialChars({ specialChars: unseen, render: drawUnseen }),
        options.wraps === false ? [] : EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({
          "aria-label": options.label,
          // It is focusable anyway, but programs that examine pages look for this.
          tabindex: "0",
          autocapitalize: "off",
          autocorrect: "off",
          spellcheck: "false",
          translate: "no",
        }),
        options.extensions ?? jsonColours,
        longLines,
        theme,
        marks,
        stretches,
        EditorView.updateListener.of(({ selectionSet, state }) => {
          if (selectionSet && options.onCursor !== undefined) options.onCursor(...placeOf(state));
        }),
      ],
    });

  const view = new EditorView({
    root,
    parent: root,
    state: toState(""),
    dispatchTransactions(transactions, changed) {
      // Before the view draws the change: a tool may work meanwhile.
      note(transactions);
      changed.update(transactions);
    },
  });

  function note(transactions: readonly Transaction[]): void {
    const isTyped = transactions.some((one) => one.docChanged && !one.isUserEvent("penknife"));
    const doc = transactions.at(-1)?.newDoc;
    if (!isTyped || doc === undefined) return;
    untold = doc;
    if (doc.length <= maxToldAtOnce) tell();
    else void painted().then(tell);
  }

  function tell(): void {
    const text = untold?.toString();
    untold = undefined;
    if (text !== undefined) options.onChange?.(text);
  }

  function submit(): boolean {
    tell();
    options.onSubmit?.();
    return options.onSubmit !== undefined;
  }

  return {
    setText(text) {
      untold = undefined;
      // A view that is outside of the window keeps what it lays out, which after a replacement is the whole text. One that is seen
      // lays out a part of a long line only if it keeps its state: a new one knows no sizes, and draws all of the line first.
      const isKept = !isReadOnly && text.length <= maxKept;
      if (!isKept && !isSeen(place)) return view.setState(toState(text));
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: Text.of(text.split("\n")) },
        selection: { anchor: 0 },
        annotations: isKept ? [] : Transaction.addToHistory.of(false),
        userEvent: "penknife",
      });
    },
    setReadOnly(changed) {
      isReadOnly = changed;
      view.dispatch({ effects: readOnly.reconfigure(toReadOnly(isReadOnly)) });
    },
    setMarks: (list) => view.dispatch({ effects: setMarks.of(list) }),
    setStretches: (list) => view.dispatch({ effects: setStretches.of(list) }),
    goTo(line, column) {
      const { doc } = view.state;
      const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
      const at = found.from + offsetOf(found.text, 1, column);
      view.dispatch({
        selection: { anchor: at, head: Math.min(at + 1, found.to) },
        effects: EditorView.scrollIntoView(at, { y: "center" }),
      });
      view.focus();
    },
    focus: () => view.focus(),
    close() {
      tell();
      view.destroy();
    },
  };
}

/** Longest line, in UTF-16 code units, into which the browser types. */
const maxTyped = 20_000;

/**
 * Types into a long line: the library would let the browser do it, and then compare all of the line with what it was, which takes
 * longer than a key may.
 */
const longLines = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    const { state } = view;
    if (inputType !== "insertText" || data === null || isComposing || view.composing || state.readOnly)
      return false;
    if (state.doc.lineAt(state.selection.main.head).length <= maxTyped) return false;
    view.dispatch(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/** Whether a part of an element is inside of the window. */
function isSeen(element: HTMLElement): boolean {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && top < innerHeight && bottom > 0;
}

/** Returns the place of the cursor. Columns of a long line are counted in UTF-16 code units: counting its characters takes time. */
function placeOf({ doc, selection }: EditorState): [line: number, column: number] {
  const { head } = selection.main;
  const { number, from } = doc.lineAt(head);
  const before = head - from > maxCounted ? undefined : doc.sliceString(from, head);
  return [number, (before === undefined ? head - from : [...before].length) + 1];
}

const maxCounted = 10_000;

/** A read-only view keeps its cursor, so that the keyboard can select and copy in it. */
const toReadOnly = (isReadOnly: boolean): Extension => [
  EditorState.readOnly.of(isReadOnly),
  EditorView.contentAttributes.of(isReadOnly ? { "aria-readonly": "true" } : {}),
];

/** Draws a character that nobody sees as a box with its number. */
function drawUnseen(code: number, description: string | null): HTMLElement {
  const box = document.createElement("span");
  box.className = "unseen-character";
  box.textContent = toHex(String.fromCodePoint(code));
  const name = description ?? `Character ${box.textContent}`;
  box.title = name;
  box.setAttribute("aria-label", name);
  return box;
}
