import { useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { favourites, recent } from "./history.ts";
import { openToolList, type ToolList } from "./tool-list.ts";

/** Something that the palette opens. */
interface Entry {
  title: string;
  summary: string;
  /** Below the home page. */
  path: string;
}

const mostEntries = 9;

const pages: readonly Entry[] = [
  { title: "Home", summary: "Paste anything, and find the tool that fits", path: "" },
  { title: "API keys", summary: "Settings", path: "settings/keys" },
  { title: "Usage", summary: "Settings", path: "settings/usage" },
  { title: "Sign in", summary: "With a code of the operator", path: "sign-in" },
];

/** Opens the palette, unless it is open. @param root URL of the home page. */
export function showPalette(root: URL): void {
  if (document.querySelector("dialog[open]") !== null) return;
  const place = document.createElement("div");
  document.body.append(place);
  const before = document.activeElement;
  const close = (): void => {
    render(null, place);
    place.remove();
    if (before instanceof HTMLElement) before.focus();
  };
  render(<Palette root={root} onClose={close} />, place);
}

function Palette({ root, onClose }: { root: URL; onClose(): void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const words = useSignal("");
  const chosen = useSignal(0);
  const list = useSignal<ToolList | undefined>(undefined);
  const message = useSignal("");

  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    openToolList(root).then(
      (found) => (list.value = found),
      (error: unknown) => (message.value = (error as Error).message),
    );
  }, []);

  const entries = find(list.value, words.value);
  const at = Math.min(chosen.value, entries.length - 1);
  const open = (entry: Entry | undefined): void => {
    if (entry !== undefined) location.assign(new URL(entry.path, root));
  };

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && entries.length > 0)
      chosen.value = (at + step + entries.length) % entries.length;
    else if (event.key === "Enter") open(entries[at]);
    else return;
    event.preventDefault();
  }

  return (
    <dialog ref={dialog} class="palette" aria-label="Open a tool or a page" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Tool or page"
        aria-expanded={entries.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(entries.length > 0 && { "aria-activedescendant": `${id}-${at}` })}
        autocomplete="off"
        spellcheck={false}
        value={words.value}
        onInput={({ currentTarget }) => {
          words.value = currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={`${id}-list`} role="listbox" aria-label="Tools and pages">
        {entries.map((entry, index) => (
          // The keyboard stays in the box: it has the keys.
          <li
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            key={entry.path}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => open(entry)}
          >
            {entry.title} <span class="hint">{entry.summary}</span>
          </li>
        ))}
      </ul>
      <p class="hint" role="status">
        {message.value || `${entries.length} found. Arrow keys choose, Enter opens, Escape closes.`}
      </p>
    </dialog>
  );
}

function find(list: ToolList | undefined, words: string): readonly Entry[] {
  const asked = words.trim().toLowerCase();
  const tools = list?.tools ?? [];
  const toEntry = ({ slug, title, summary }: ToolList["tools"][number]): Entry => ({
    title,
    summary,
    path: `tools/${slug}`,
  });
  if (asked === "") {
    const known = [...new Set([...favourites.peek(), ...recent.peek()])];
    const remembered = known.flatMap((slug) => tools.find((tool) => tool.slug === slug) ?? []);
    return [...remembered.map(toEntry), ...pages].slice(0, mostEntries);
  }
  const found = (list?.find(asked) ?? []).map(({ tool }) => toEntry(tool));
  const called = pages.filter(({ title }) => title.toLowerCase().includes(asked));
  return [...called, ...found].slice(0, mostEntries);
}
