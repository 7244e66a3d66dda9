import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useAct } from "./act.ts";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./fields.tsx";
import { Text, toVisible } from "./text.tsx";

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
  const isAllowed = word === undefined || isName(typed.value, word);

  return (
    // Until the answer is there: it may contain a secret, and would close a dialog that was opened in the meantime.
    <Dialog title={title} onClose={isBusy.value ? undefined : onClose}>
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

/** Reports whether the user typed a name, or what the page shows of it: nobody can type some characters. */
const isName = (typed: string, name: string): boolean =>
  [name, toVisible(name)].some((one) => toLine(one) === toLine(typed));

const toLine = (text: string): string => text.trim().replaceAll(/\s+/g, " ");
