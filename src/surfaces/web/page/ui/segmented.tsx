import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { moveFocus } from "./roving.ts";
import type { Option } from "./select.tsx";

export interface SegmentedProps {
  /** Names the choice for screen readers. */
  label: string;
  options: readonly Option<string>[];
  value: string | undefined;
  onSelect(value: string): void;
}

/** A choice among a few short words, all of which are seen. Arrows move the choice. */
export function Segmented({ label, options, value, onSelect }: SegmentedProps): JSX.Element {
  const row = useRef<HTMLSpanElement>(null);
  return (
    <span
      ref={row}
      class="segmented"
      role="radiogroup"
      aria-label={label}
      onKeyDown={(event) => moveFocus(event, row.current, ["ArrowLeft", "ArrowRight"])}
    >
      {options.map(([id, text], index) => {
        const isChosen = id === value;
        return (
          <button
            type="button"
            class="small"
            role="radio"
            aria-checked={isChosen}
            tabIndex={isChosen || (value === undefined && index === 0) ? 0 : -1}
            key={id}
            onFocus={({ currentTarget }) => {
              if (!isChosen && currentTarget.matches(":focus-visible")) onSelect(id);
            }}
            onClick={() => onSelect(id)}
          >
            {text}
          </button>
        );
      })}
    </span>
  );
}
