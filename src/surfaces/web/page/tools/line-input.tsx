import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { EditorHandle } from "../editor/editor.tsx";
import { type Input, noInput } from "../editor/input.ts";
import { offsetOf } from "../editor/text-place.ts";
import { ClearButton } from "../ui/clear-button.tsx";
import { NowButton } from "../ui/now-button.tsx";

export interface LineInputProps {
  label: string;
  value: Signal<Input>;
  handle: { current: EditorHandle | null };
  /** Whether it is a time. */
  hasNow: boolean;
  onSubmit(): void;
}

/** One large line for a document of one line. What is pasted keeps its lines, and Shift+Enter begins another. */
export function LineInput({ label, value, handle, hasNow, onSubmit }: LineInputProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  const input = value.value;
  const focus = (): void => box.current?.focus();

  useLayoutEffect(() => {
    handle.current = {
      focus,
      goTo(line, column) {
        const element = box.current;
        if (element === null) return;
        const at = offsetOf(element.value, line, column);
        element.focus();
        element.setSelectionRange(at, at + 1);
      },
    };
  });

  return (
    <div class="line-input">
      {input.kind === "text" ? (
        <textarea
          ref={box}
          class="growing"
          aria-label={label}
          placeholder={label}
          rows={1}
          dir="ltr"
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          value={input.text}
          onInput={({ currentTarget }) => (value.value = { kind: "text", text: currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            onSubmit();
          }}
        />
      ) : (
        <p>
          The file <bdi>{input.name}</bdi>, {input.file.size.toLocaleString()} bytes.
        </p>
      )}
      {hasNow ? <NowButton label={label} onEnter={(text) => (value.value = { kind: "text", text })} /> : null}
      <ClearButton
        label={label}
        onClear={() => {
          value.value = noInput;
          focus();
        }}
      />
    </div>
  );
}
