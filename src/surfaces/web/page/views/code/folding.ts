import {
  type EditorState,
  type Extension,
  type StateEffectType,
  StateEffect,
  StateField,
} from "@codemirror/state";
import {
  type Command,
  Decoration,
  type DecorationSet,
  EditorView,
  gutter,
  GutterMarker,
  keymap,
  WidgetType,
} from "@codemirror/view";

interface Part {
  from: number;
  to: number;
}

/** Folds parts of a text: the lines below a line that are indented deeper, which fits JSON, YAML and XML alike. */
export function createFolding(): { extension: Extension; foldAll(view: EditorView): boolean } {
  const [fold, unfold, unfoldAll] = [
    StateEffect.define<Part>(),
    StateEffect.define<number>(),
    StateEffect.define(),
  ];
  const folded = createField(fold, unfold, unfoldAll);

  function toggle(view: EditorView, line: number): boolean {
    const { from, to } = view.state.doc.line(line);
    let found: number | undefined;
    view.state.field(folded).between(from, to, (at) => void (found ??= at));
    if (found !== undefined) view.dispatch({ effects: unfold.of(found) });
    else {
      const part = findPart(view.state, line);
      if (part === undefined) return false;
      view.dispatch({ effects: fold.of(part) });
    }
    return true;
  }

  const atCursor: Command = (view) =>
    toggle(view, view.state.doc.lineAt(view.state.selection.main.head).number);

  const arrow = (isFolded: boolean): GutterMarker =>
    new (class extends GutterMarker {
      override toDOM(): HTMLElement {
        const mark = document.createElement("span");
        mark.className = isFolded ? "fold-arrow is-folded" : "fold-arrow";
        mark.title = isFolded ? "Unfold" : "Fold";
        return mark;
      }
    })();
  const [open, closed] = [arrow(false), arrow(true)];

  return {
    extension: [
      folded,
      gutter({
        class: "cm-folds",
        lineMarker(view, block) {
          const { number } = view.state.doc.lineAt(block.from);
          let isFolded = false;
          view.state.field(folded).between(block.from, block.to, () => void (isFolded = true));
          if (isFolded) return closed;
          return beginsPart(view.state, number) ? open : null;
        },
        lineMarkerChange: ({ startState, state }) => startState.field(folded) !== state.field(folded),
        domEventHandlers: {
          click: (view, block) => toggle(view, view.state.doc.lineAt(block.from).number),
        },
      }),
      keymap.of([
        { key: "Ctrl-Shift-[", mac: "Cmd-Alt-[", run: atCursor },
        { key: "Ctrl-Shift-]", mac: "Cmd-Alt-]", run: atCursor },
      ]),
    ],
    foldAll(view) {
      if (view.state.field(folded).size > 0) {
        view.dispatch({ effects: unfoldAll.of(null) });
        return false;
      }
      const parts = findParts(view.state);
      view.dispatch({ effects: parts.map((part) => fold.of(part)) });
      return parts.length > 0;
    },
  };
}

function createField(
  fold: StateEffectType<Part>,
  unfold: StateEffectType<number>,
  unfoldAll: StateEffectType<unknown>,
): StateField<DecorationSet> {
  const rest = Decoration.replace({
    widget: new (class extends WidgetType {
      override toDOM(view: EditorView): HTMLElement {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "folded";
        button.textContent = "…";
        button.setAttribute("aria-label", "Unfold");
        button.addEventListener("click", () => view.dispatch({ effects: unfold.of(view.posAtDOM(button)) }));
        return button;
      }
    })(),
  });
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(found, { effects, changes, selection, newSelection: { main } }) {
      let next = found.map(changes);
      // What is selected is seen: the next place of a search may be in what is folded.
      if (selection !== undefined)
        next = next.update({
          filterFrom: main.from,
          filterTo: main.to,
          filter: (from, to) => main.head <= from || main.head > to,
        });
      const added = effects
        .filter((one) => one.is(fold))
        .map(({ value }) => rest.range(value.from, value.to));
      if (effects.some((one) => one.is(unfoldAll))) next = Decoration.none;
      for (const effect of effects)
        if (effect.is(unfold)) next = next.update({ filter: (from) => from !== effect.value });
      return added.length > 0 ? next.update({ add: added, sort: true }) : next;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

/** Lines that are searched for the end of a part. */
const maxLines = 100_000;
/** Parts that are folded at once. */
const maxParts = 5000;

/** Returns the lines below a line that are indented deeper; undefined if the next is not. */
function findPart({ doc }: EditorState, number: number): Part | undefined {
  const first = doc.line(number);
  const depth = depthOf(first.text);
  if (depth === undefined) return undefined;
  let end: number | undefined;
  for (let at = number + 1; at <= Math.min(doc.lines, number + maxLines); at++) {
    const { text, to } = doc.line(at);
    const found = depthOf(text);
    if (found === undefined) continue;
    if (found <= depth) break;
    end = to;
  }
  return end === undefined ? undefined : { from: first.to, to: end };
}

function beginsPart({ doc }: EditorState, number: number): boolean {
  const depth = depthOf(doc.line(number).text);
  if (depth === undefined) return false;
  for (let at = number + 1; at <= Math.min(doc.lines, number + 10); at++) {
    const found = depthOf(doc.line(at).text);
    if (found !== undefined) return found > depth;
  }
  return false;
}

/** Returns the largest parts that are inside of another one. */
function findParts(state: EditorState): Part[] {
  const parts: Part[] = [];
  for (let at = 1; at < state.doc.lines && parts.length < maxParts;) {
    const depth = depthOf(state.doc.line(at).text) ?? 0;
    const part = depth > 0 && beginsPart(state, at) ? findPart(state, at) : undefined;
    if (part !== undefined) parts.push(part);
    at = part === undefined ? at + 1 : state.doc.lineAt(part.to).number + 1;
  }
  return parts;
}

/** Returns the indentation of a line; undefined if it is empty. */
function depthOf(text: string): number | undefined {
  const at = text.search(/\S/);
  return at === -1 ? undefined : at;
}
