import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useAct } from "./act.ts";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./fields.tsx";
import { Text } from "./text.tsx";

export interface ConfirmDialogProps {
  title: string;
  /** What happens. */
  children: ComponentChildren;
  /** A name that the user has to type first. */
  word?: string | undefined;
  /** The text of the button. */
  action: string;
  act(): Promise<unknown>;
  /** Called after the act, and when the user does not want it. */
  onClose(): void;
}

/** Asks before an act that cannot be undone, runs it, and shows why it failed. */
export function ConfirmDialog(props: ConfirmDialogProps): JSX.Element {
  const { title, children, word, action, act, onClose } = props;
  const { run, isBusy, message } = useAct();
  const typed = useSignal("");
  const isAllowed = word === undefined || typed.value === word;

  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isAllowed) void run(act).then((done) => done && onClose());
        }}
      >
        {children}
        {word === undefined ? null : (
          <TextField label="Type the name to confirm" hint={<Text>{word}</Text>} value={typed} />
        )}
        <p class="actions">
          <button class="danger" aria-disabled={!isAllowed || isBusy.value}>
            {action}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </p>
        <p role="alert">{message.value}</p>
      </form>
    </Dialog>
  );
}
