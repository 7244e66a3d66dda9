import type { Extension } from "@codemirror/state";
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { defined } from "../../../../lib/defined.ts";
import { ClearButton } from "../ui/clear-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Code } from "./code.tsx";
import type { CodeView } from "./code-view.ts";
import { type Input, noInput } from "./input.ts";
import type { Mark, Stretch } from "./marks.ts";
import { offsetOf, showHead, shownBytes } from "./text-place.ts";

/** The functions of an editor that a page calls. */
export interface EditorHandle {
  /** Selects the character at a place, which is given in lines and code points from 1, and scrolls to it. */
  goTo(line: number, column: number): void;
  focus(): void;
}

export interface EditorProps {
  label: string;
  value: Signal<Input>;
  handle?: { current: EditorHandle | null };
  /** Stands beside the label: what the document is. */
  tag?: ComponentChildren;
  /** Buttons before those of the editor. */
  actions?: ComponentChildren;
  /** Places of the document that are underlined. */
  marks?: readonly Mark[];
  /** Stretches of the document that are coloured. */
  stretches?: readonly Stretch[];
  /** Loads what the view has in the place of the colours of JSON. */
  extensions?: (() => Promise<Extension>) | undefined;
  /** Called by Ctrl+Enter and Cmd+Enter. */
  onSubmit?(): void;
  /** Called with the place of the cursor, in lines and code points from 1. */
  onCursor?(line: number, column: number): void;
}

/** Longest text that is edited, in UTF-16 code units; a longer one becomes a file, of which the beginning is shown. */
const maxText = 16_000_000;
/** Longest text in the text area: a browser takes a minute to lay out a line of 1 MB in it. A longer one waits for CodeMirror. */
const maxPlain = 50_000;

/** A box for a document: typed, pasted, dropped, or chosen as a file. Until CodeMirror is there, it is a text area. */
export function Editor(props: EditorProps): JSX.Element {
  const { label, value, handle, tag, actions, marks, stretches, extensions, onSubmit, onCursor } = props;
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const view = useRef<CodeView | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const isReady = useSignal(false);
  const head = useSignal("");
  const input = value.value;

  function take(file: File | null | undefined): void {
    if (file !== null && file !== undefined) value.value = { kind: "file", file, name: file.name };
  }

  function focus(): void {
    (view.current ?? box.current)?.focus();
  }

  function goTo(line: number, column: number): void {
    const element = box.current;
    if (view.current !== null) return view.current.goTo(line, column);
    if (element === null) return;
    const at = offsetOf(element.value, line, column);
    element.focus();
    element.setSelectionRange(at, at + 1);
  }

  function change(text: string): void {
    value.value =
      text.length <= maxText
        ? { kind: "text", text }
        : { kind: "file", file: new Blob([text]), name: "pasted text" };
  }

  useLayoutEffect(() => {
    if (handle !== undefined) handle.current = { focus, goTo };
  });

  useLayoutEffect(() => {
    if (input.kind === "file") void showHead(input.file).then((text) => (head.value = text));
  }, [input]);

  const text = input.kind === "text" ? input.text : head.value;
  // A browser lays the text out anew when it is set, even if it is the same.
  const plain = text.slice(0, maxPlain);
  useLayoutEffect(() => {
    if (box.current !== null && box.current.value !== plain) box.current.value = plain;
  });

  return (
    <div
      class={isOver.value ? "editor over" : "editor"}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      // Before the view sees it, which would insert a file as text.
      onDropCapture={(event) => {
        isOver.value = false;
        const file = event.dataTransfer?.files[0];
        if (file === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        take(file);
      }}
    >
      <header class="pane-head">
        <label for={id} onClick={focus}>
          {label}
        </label>
        {tag}
        <span class="end pane-actions">
          {actions}
          <button
            type="button"
            class="quiet only small"
            aria-label={`Open a file: ${label}`}
            title="Open a file"
            onClick={() => chooser.current?.click()}
          >
            <Icon name="file" />
          </button>
          <ClearButton
            label={label}
            onClear={() => {
              value.value = noInput;
              focus();
            }}
          />
        </span>
        <input
          ref={chooser}
          type="file"
          hidden
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0]);
            currentTarget.value = "";
          }}
        />
      </header>
      <div class="box">
        {isReady.value ? null : (
          <textarea
            id={id}
            ref={box}
            dir="auto"
            spellcheck={false}
            autocomplete="off"
            autocapitalize="off"
            readOnly={input.kind === "file" || text.length > maxPlain}
            onInput={({ currentTarget }) => change(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSubmit?.();
            }}
          />
        )}
        <Code
          label={label}
          text={text}
          isReadOnly={input.kind === "file"}
          view={view}
          onChange={change}
          onReady={() => {
            const hadFocus = document.activeElement === box.current;
            isReady.value = true;
            if (hadFocus) view.current?.focus();
          }}
          {...defined({ marks, stretches, extensions, onSubmit, onCursor })}
        />
      </div>
      <Note input={input} isNamed={tag !== undefined} />
    </div>
  );
}

/** Shows facts about an input that its text does not show. @param isNamed Whether the name and the size of a file stand above. */
function Note({ input, isNamed }: { input: Input; isNamed: boolean }): JSX.Element | null {
  if (input.kind === "text")
    return input.text.includes("\r\n") ? <p class="note">Its lines end in CR LF.</p> : null;
  const isCut = input.file.size > shownBytes;
  if (isNamed && !isCut) return null;
  return (
    <p class="note">
      {isNamed ? null : (
        <>
          The file <bdi>{input.name}</bdi>, {input.file.size.toLocaleString()} bytes.{" "}
        </>
      )}
      {isCut ? "Its beginning is shown; the tool gets all of it." : null}
    </p>
  );
}
