import { useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { copy } from "./clipboard.ts";
import { Icon } from "./ui/icon.tsx";
import { toVisible } from "./ui/text.tsx";

/** Adds a button to each example of a page: an element with `data-copy`, a caption and a text. */
export function addCopyButtons(page: ParentNode): void {
  for (const example of page.querySelectorAll("[data-copy]")) {
    const caption = example.querySelector("figcaption");
    const text = example.querySelector("pre");
    if (caption === null || text === null) continue;
    const title = caption.textContent ?? "";
    const place = document.createElement("span");
    caption.append(place);
    render(<CopyButton title={title} source={() => text} />, place);
  }
}

export interface CopyButtonProps {
  /** The name of the copied text, for screen readers. */
  title: string;
  /** The label of the button, if "Copy" does not say what it copies. */
  label?: string;
  /** Classes of the button. */
  class?: string;
  /** Whether the button shows an icon alone, beside a value that shows what it copies. */
  isIcon?: boolean;
  /** Whether the button shows an icon before its word. */
  hasIcon?: boolean;
  /** Returns the element with the text. */
  source(): HTMLElement | null;
  /** The text, if the element shows something else; a function, if making it takes time. */
  text?: string | (() => string);
}

const shownMs = 2000;

export function CopyButton({
  title,
  label = "Copy",
  isIcon = false,
  hasIcon = false,
  source,
  text,
  ...attributes
}: CopyButtonProps): JSX.Element {
  const state = useSignal<"" | "copied" | "selected">("");

  async function act(): Promise<void> {
    const element = source();
    if (element === null) return;
    const done = (await copy(element, typeof text === "function" ? text() : text)) ? "copied" : "selected";
    state.value = done;
    setTimeout(() => {
      if (state.value === done) state.value = "";
    }, shownMs);
  }

  return (
    <>
      <button type="button" {...attributes} onClick={() => void act()}>
        {isIcon || hasIcon ? <Icon name={icons[state.value]} /> : null}
        {isIcon ? <span class="unseen">{label}</span> : state.value === "" ? label : labels[state.value]}
        <span class="unseen"> “{toVisible(title)}”</span>
      </button>
      <span class="unseen" role="status">
        {messages[state.value]}
      </span>
    </>
  );
}

const icons = { "": "copy", copied: "check", selected: "warn" } as const;
const labels = { copied: "Copied", selected: "Selected" };
const messages = {
  "": "",
  copied: "Copied to the clipboard",
  selected: "Selected. Press Ctrl+C, or Command+C, to copy",
};
