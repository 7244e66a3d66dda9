import type { ComponentChildren, JSX } from "preact";
import { useAct } from "./act.ts";
import { Dialog } from "./dialog.tsx";

export interface FormDialogProps {
  title: string;
  /** The text of the button that sends the form. */
  action: string;
  /** Sends the form; a refusal is shown, and the dialog stays. */
  act(): Promise<unknown>;
  onClose(): void;
  children: ComponentChildren;
}

/** A dialog with a form. Whoever renders it replaces or closes it in `act`. */
export function FormDialog({ title, action, act, onClose, children }: FormDialogProps): JSX.Element {
  const { run, isBusy, message } = useAct();
  return (
    // Until the answer is there: it may contain a secret, and would close a dialog that was opened in the meantime.
    <Dialog title={title} onClose={isBusy.value ? undefined : onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(act);
        }}
      >
        {children}
        <p class="actions">
          <button class="primary" aria-disabled={isBusy.value}>
            {action}
          </button>
          <button
            type="button"
            aria-disabled={isBusy.value}
            onClick={() => {
              if (!isBusy.value) onClose();
            }}
          >
            Cancel
          </button>
        </p>
        <p role="alert">{message.value}</p>
      </form>
    </Dialog>
  );
}
