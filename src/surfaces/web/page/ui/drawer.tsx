import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { keepFocus } from "../focus.ts";
import { Icon } from "./icon.tsx";

export interface DrawerProps {
  title: string;
  /** Stands beside the title. */
  note?: ComponentChildren;
  /** Buttons before the one that closes it. */
  tools?: ComponentChildren;
  onClose(): void;
  children: ComponentChildren;
}

/** A panel at the side of the page, and at its lower end on phones. It is not modal: the page stays usable beside it. */
export function Drawer({ title, note, tools, onClose, children }: DrawerProps): JSX.Element {
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    panel.current?.focus();
    return () => {
      if (before?.isConnected === true) before.focus();
      else keepFocus();
    };
  }, []);

  return (
    <div
      ref={panel}
      class="drawer"
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <span class="hint">{note}</span>
        <span class="buttons end">
          {tools}
          <button type="button" class="quiet only small" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </span>
      </header>
      <div class="in">{children}</div>
    </div>
  );
}
