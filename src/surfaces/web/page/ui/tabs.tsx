import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { moveFocus } from "./roving.ts";

export interface Tab {
  id: string;
  label: string;
  /** Shown beside the label, such as the number of findings. */
  count?: number | undefined;
}

export interface TabsProps {
  /** Names the tabs for screen readers. */
  label: string;
  tabs: readonly Tab[];
  chosen: string;
  /** Id of the element that shows what is chosen. */
  panel: string;
  onChoose(id: string): void;
}

/** A row of tabs of which one is chosen (ARIA Authoring Practices, tabs with automatic activation). */
export function Tabs({ label, tabs, chosen, panel, onChoose }: TabsProps): JSX.Element {
  const row = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={row}
      class="tab-row"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => moveFocus(event, row.current, ["ArrowLeft", "ArrowRight"])}
    >
      {tabs.map(({ id, label: text, count }) => (
        <button
          type="button"
          role="tab"
          id={`${panel}-${id}`}
          aria-selected={id === chosen}
          {...(id === chosen && { "aria-controls": panel })}
          tabIndex={id === chosen ? 0 : -1}
          key={id}
          onFocus={() => {
            if (id !== chosen) onChoose(id);
          }}
          onClick={() => onChoose(id)}
        >
          {text}
          {count === undefined ? null : ` ${count.toLocaleString()}`}
        </button>
      ))}
    </div>
  );
}
