import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { counted } from "../../../../lib/counted.ts";
import { type Input, isEmpty, noInput } from "../editor/input.ts";
import { Coloured } from "../ui/coloured.tsx";
import { Icon } from "../ui/icon.tsx";
import { coloursOf } from "./paste-colours.ts";

/** The texts of the box. */
export interface PasteWords {
  label: string;
  placeholder: string;
}

export interface PasteProps {
  words: PasteWords;
  value: Signal<Input>;
  /** The kind of the input, such as "JSON Web Token"; empty if it is not known. */
  description: string;
  /** Opens the best tool. */
  onOpen(): void;
}

/** Longest text that stands in the box, in UTF-16 code units: a browser takes seconds to lay out a long line. Tools get all of it. */
const maxShown = 50_000;

/** The field for anything: typed, pasted without a click, dropped anywhere on the page, or opened as a file. */
export function Paste({ words, value, description, onOpen }: PasteProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  /** Whether what is there was pasted as it is: then Enter opens, because it is no text that somebody writes. */
  const isPasted = useRef(false);
  const input = value.value;
  const isWhole = input.kind === "text" && input.text.length <= maxShown;

  function take(given: Input): void {
    value.value = given;
    isPasted.current = true;
    box.current?.focus();
  }

  function takeFile(file: File | null | undefined): void {
    if (file !== null && file !== undefined) take({ kind: "file", file, name: file.name });
  }

  useEffect(() => addTaking(box, take), []);

  const text = input.kind === "text" ? input.text.slice(0, maxShown) : "";
  useLayoutEffect(() => {
    if (box.current !== null && box.current.value !== text) box.current.value = text;
  });

  return (
    <section class="card paste" aria-label="Input">
      <Coloured pieces={isWhole ? coloursOf(text) : undefined} dir="auto">
        <textarea
          ref={box}
          dir="auto"
          aria-label={words.label}
          placeholder={words.placeholder}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          readOnly={!isWhole}
          onInput={({ currentTarget }) => {
            isPasted.current = false;
            value.value = { kind: "text", text: currentTarget.value };
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            const isName = value.peek().kind === "text" && !box.current?.value.includes("\n");
            if (!(event.ctrlKey || event.metaKey || isPasted.current || isName)) return;
            event.preventDefault();
            onOpen();
          }}
        />
      </Coloured>
      <footer>
        <Icon name="shield" />
        <p role="status" class="cut">
          {describe(input, description)}
        </p>
        <button type="button" class="quiet small end" onClick={() => chooser.current?.click()}>
          <Icon name="file" /> Open a file
        </button>
        {isEmpty(input) ? null : (
          <button type="button" class="quiet small" onClick={() => take(noInput)}>
            Clear
          </button>
        )}
        <input
          ref={chooser}
          type="file"
          hidden
          onChange={({ currentTarget }) => {
            takeFile(currentTarget.files?.[0]);
            currentTarget.value = "";
          }}
        />
      </footer>
    </section>
  );
}

/** Takes what is pasted into the page while no field has the focus, or into an empty box, and files that are dropped on the page. */
function addTaking(box: { current: HTMLTextAreaElement | null }, take: (input: Input) => void): () => void {
  const isOnPage = (): boolean => box.current?.isConnected === true;

  function onPaste(event: ClipboardEvent): void {
    const at = document.activeElement;
    const isField =
      at instanceof HTMLElement &&
      at !== box.current &&
      at.matches("input, textarea, [contenteditable], dialog *");
    if (!isOnPage() || isField) return;
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const isWhole = at !== box.current || box.current?.value === "" || isAllSelected(box.current);
    if (file !== undefined) take({ kind: "file", file, name: file.name });
    else if (text !== "" && (isWhole || text.length > maxShown)) take({ kind: "text", text });
    else return;
    event.preventDefault();
  }

  function onDrop(event: DragEvent): void {
    const file = event.dataTransfer?.files[0];
    if (!isOnPage() || file === undefined) return;
    event.preventDefault();
    take({ kind: "file", file, name: file.name });
  }

  const onDragOver = (event: DragEvent): void => {
    if (isOnPage() && event.dataTransfer?.types.includes("Files") === true) event.preventDefault();
  };

  document.addEventListener("paste", onPaste);
  addEventListener("dragover", onDragOver);
  addEventListener("drop", onDrop);
  return () => {
    document.removeEventListener("paste", onPaste);
    removeEventListener("dragover", onDragOver);
    removeEventListener("drop", onDrop);
  };
}

const isAllSelected = (box: HTMLTextAreaElement | null): boolean =>
  box !== null && box.selectionStart === 0 && box.selectionEnd === box.value.length;

function describe(input: Input, description: string): JSX.Element | string {
  if (isEmpty(input)) return "What you give stays in this tab.";
  const what = description === "" ? "" : `${description} · `;
  if (input.kind === "file")
    return (
      <>
        {what}
        <bdi>{input.name}</bdi> · {shown(input.file.size, "byte")} · stays in this tab
      </>
    );
  const { length } = input.text;
  const cut = length > maxShown ? ", of which the beginning is shown" : "";
  return `${what === "" ? "Text · " : what}${shown(length, "character")}${cut} · stays in this tab`;
}

/** A count with its noun, in groups of three digits. */
const shown = (number: number, noun: string): string =>
  counted(number, noun).replace(/^\d+/, number.toLocaleString());
