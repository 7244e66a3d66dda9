import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId } from "preact/hooks";

/** Something that a combobox offers. */
export interface Choice {
  /** Differs from those of the others. */
  key: string;
  title: string;
  summary: string;
}

export interface ComboboxProps<T extends Choice> {
  label: string;
  /** Names the list for screen readers. */
  listLabel: string;
  /** Called while typing. */
  find(words: string): readonly T[];
  onChoose(choice: T): void;
  /** Shown in the empty box. */
  placeholder?: string;
  /** The reason why there is nothing to choose; empty otherwise. */
  message: string;
  /** Says what kind of choices fit the words, before their number. */
  describe?(words: string): string;
  /** Says what the keys do, after the number of choices. */
  keys: string;
}

/** A box with a list of what fits the words in it (ARIA Authoring Practices, combobox with list autocomplete). */
export function Combobox<T extends Choice>(props: ComboboxProps<T>): JSX.Element {
  const { label, listLabel, placeholder, find, onChoose, message, keys, describe } = props;
  const id = useId();
  const words = useSignal("");
  const chosen = useSignal(0);
  const choices = find(words.value);
  const at = Math.min(chosen.value, choices.length - 1);

  function choose(choice: T | undefined): void {
    if (choice === undefined) return;
    words.value = "";
    chosen.value = 0;
    onChoose(choice);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = event.altKey ? undefined : steps[event.key];
    if (step !== undefined && choices.length > 0)
      chosen.value = (at + step + choices.length) % choices.length;
    else if (event.key === "Enter") choose(choices[at]);
    else return;
    event.preventDefault();
  }

  return (
    <div class="combobox">
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={choices.length > 0}
        aria-autocomplete="list"
        {...(choices.length > 0 && { "aria-controls": `${id}-list`, "aria-activedescendant": `${id}-${at}` })}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={words.value}
        onInput={({ currentTarget }) => {
          words.value = currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      {choices.length === 0 ? null : (
        <ul id={`${id}-list`} role="listbox" aria-label={listLabel}>
          {choices.map((choice, index) => (
            // The keyboard stays in the box: it has the keys.
            <li
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              key={choice.key}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(choice)}
            >
              {choice.title} <span class="hint">{choice.summary}</span>
            </li>
          ))}
        </ul>
      )}
      <p class="hint" role="status">
        {message ||
          (words.value === "" && choices.length === 0
            ? keys
            : `${describe?.(words.value) ?? ""}${choices.length} found. ${keys}`)}
      </p>
    </div>
  );
}
