import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import type { Input } from "./input.ts";
import { offsetOf, showHead } from "./text-place.ts";

/** What a page does with an editor. */
export interface EditorHandle {
  /** Selects the character at a place, which is given in lines and code points from 1, and scrolls to it. */
  goTo(line: number, column: number): void;
  focus(): void;
}

export interface EditorProps {
  label: string;
  value: Signal<Input>;
  handle?: { current: EditorHandle | null };
  /** Lines that it shows at first. */
  rows?: number;
  /** Called by Ctrl+Enter and Cmd+Enter. */
  onSubmit?(): void;
}

/** A box for a document: typed, pasted, dropped, or chosen as a file. */
export function Editor({ label, value, handle, rows = 14, onSubmit }: EditorProps): JSX.Element {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const head = useSignal("");
  const input = value.value;

  function take(file: File | null | undefined): void {
    if (file !== null && file !== undefined) value.value = { kind: "file", file, name: file.name };
  }

  useLayoutEffect(() => {
    if (handle === undefined) return;
    handle.current = {
      focus: () => box.current?.focus(),
      goTo(line, column) {
        const element = box.current;
        if (element === null) return;
        const at = offsetOf(element.value, line, column);
        element.focus();
        element.setSelectionRange(at, at + 1);
        // The line in the middle, as far as lines are not wrapped.
        const height = Number.parseFloat(getComputedStyle(element).lineHeight);
        element.scrollTop = (line - 1) * height - element.clientHeight / 2;
      },
    };
  });

  useLayoutEffect(() => {
    if (input.kind === "file") void showHead(input.file).then((text) => (head.value = text));
  }, [input]);

  // A browser lays the text out anew when it is set, even if it is the same.
  useLayoutEffect(() => {
    const text = input.kind === "text" ? input.text : head.value;
    if (box.current !== null && box.current.value !== text) box.current.value = text;
  });

  return (
    <div
      class={isOver.value ? "editor over" : "editor"}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        take(event.dataTransfer?.files[0]);
      }}
    >
      <div class="editor-bar">
        <label for={id}>{label}</label>
        <span class="buttons">
          <button type="button" onClick={() => chooser.current?.click()}>
            Choose a file
          </button>
          <button
            type="button"
            onClick={() => {
              value.value = { kind: "text", text: "" };
              box.current?.focus();
            }}
          >
            Clear
          </button>
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
      </div>
      <textarea
        id={id}
        ref={box}
        dir="auto"
        rows={rows}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        readOnly={input.kind === "file"}
        onInput={({ currentTarget }) => (value.value = { kind: "text", text: currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSubmit?.();
        }}
      />
      {input.kind === "file" ? (
        <p class="hint">
          The file <bdi>{input.name}</bdi>, {input.file.size.toLocaleString()} bytes. Its beginning is shown.
        </p>
      ) : null}
    </div>
  );
}
