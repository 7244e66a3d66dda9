import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { keepFocus } from "../focus.ts";

export interface DialogProps {
  title: string;
  /** Called when the user closes the dialog; absent for one that only an answer ends. */
  onClose?: (() => void) | undefined;
  /** Stands below the title. */
  lead?: ComponentChildren;
  children: ComponentChildren;
}

/**
 * A modal dialog, open while it is rendered. The focus returns to where it was. Content under another title has the focus in its first
 * control, as that of a new dialog has, and its title is announced.
 */
export function Dialog({ title, lead, onClose, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      keepFocus();
    };
  }, []);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (!isFirst.current) dialog.current?.querySelector<HTMLElement>(controls)?.focus();
    isFirst.current = false;
  }, [title]);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose?.();
      }}
      // The gesture "back" of a phone closes a dialog without asking.
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return;
        if (onClose === undefined) currentTarget.showModal();
        else onClose();
      }}
    >
      <header aria-live="polite">
        <h2 id={id}>{title}</h2>
        {lead === undefined ? null : <p class="muted">{lead}</p>}
      </header>
      {children}
    </dialog>
  );
}

const controls = "button, input, select, textarea, [tabindex='0']";
