import { type Signal, signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { useAct } from "./act.ts";
import { Copyable } from "./copyable.tsx";
import { Dialog } from "./dialog.tsx";
import { type FormField, TextField, type Values } from "./fields.tsx";
import type { PageProps } from "./frame.tsx";
import { Text, toVisible } from "./text.tsx";

/** A form in a dialog, and the act that sends it. */
export interface Question<V extends Values = Values, Data = unknown> {
  title: string;
  /** What is above the fields. */
  text?: ComponentChildren;
  fields?: { readonly [Name in keyof V]: FormField<V[Name]> };
  /** A name that the user has to type first. */
  word?: string | undefined;
  /** The text of the button that sends the form. */
  action: string;
  /** Whether the button warns. */
  isDanger?: boolean;
  /** Sends the form; a refusal is shown, and the dialog stays. */
  act(page: PageProps, values: V): Promise<Data>;
  /** Returns what is shown instead of the form after the act; by default the dialog closes. */
  next?(data: Data, page: PageProps): Asked | null | undefined;
}

/** A secret, shown for the only time. */
export interface Secret {
  title: string;
  /** What the secret is, such as "Key". */
  name: string;
  secret: string;
  /** Lines that contain the secret, ready to be pasted somewhere. */
  lines?: readonly { title: string; text: string }[];
  text?: ComponentChildren;
}

/** The outcome of an act. */
export interface Note {
  title: string;
  text: ComponentChildren;
}

/** What a dialog asks or shows. */
export type Asked = Question | Secret | Note;

/** Declares a question. */
export const defineQuestion = <V extends Values, Data>(question: Question<V, Data>): Question =>
  question as Question<never, unknown> as Question;

export interface AskDialogProps {
  asked: Asked;
  page: PageProps;
  /** Called with what the dialog shows next; undefined when the user has finished. */
  onAsk(asked: Asked | undefined): void;
}

/** The dialog of a question, a secret or a note. The title of `asked` is its key: another question begins with empty fields. */
export function AskDialog({ asked, page, onAsk }: AskDialogProps): JSX.Element {
  const close = (): void => onAsk(undefined);
  if ("act" in asked)
    return <QuestionDialog key={asked.title} of={asked} page={page} onAsk={onAsk} onClose={close} />;
  if ("secret" in asked) return <SecretDialog key={asked.title} of={asked} onStored={close} />;
  return (
    <Dialog title={asked.title} onClose={close}>
      <p role="status">{asked.text}</p>
      <button class="primary" onClick={close}>
        Close
      </button>
    </Dialog>
  );
}

interface QuestionDialogProps extends Pick<AskDialogProps, "page" | "onAsk"> {
  of: Question;
  onClose(): void;
}

function QuestionDialog({ of, page, onAsk, onClose }: QuestionDialogProps): JSX.Element {
  const { run, isBusy, message } = useAct();
  const typed = useSignal("");
  const fields = useMemo(
    () => Object.entries(of.fields ?? {}).map(([name, field]) => [name, field, signal(field.first)] as const),
    [],
  );
  const values = Object.fromEntries(fields.map(([name, , { value }]) => [name, value]));
  const isAllowed = of.word === undefined || isName(typed.value, of.word);

  async function send(): Promise<void> {
    let next: Asked | undefined;
    const isDone = await run(async () => {
      const data = await of.act(page, values);
      next = of.next?.(data, page) ?? undefined;
    });
    if (isDone) onAsk(next);
  }

  return (
    // The dialog stays until the answer is there, which may contain a secret and would close a dialog that was opened later.
    <Dialog title={of.title} onClose={isBusy.value ? undefined : onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isAllowed) void send();
        }}
      >
        {of.text}
        {fields.map(([name, { when, control }, value]) =>
          when?.(values) === false ? null : <Control key={name} {...{ control, value, values }} />,
        )}
        {of.word === undefined ? null : (
          <TextField label="Type the name to confirm" hint={<Text>{of.word}</Text>} value={typed} />
        )}
        <p class="actions">
          <button class={of.isDanger ? "danger" : "primary"} aria-disabled={!isAllowed || isBusy.value}>
            {of.action}
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

interface ControlProps extends Pick<FormField<unknown>, "control"> {
  value: Signal<unknown>;
  values: Values;
}

const Control = ({ control, value, values }: ControlProps): JSX.Element => control(value, values);

/** Reports whether the user typed a name, or what the page shows of it: nobody can type some characters. */
const isName = (typed: string, name: string): boolean =>
  [name, toVisible(name)].some((one) => toLine(one) === toLine(typed));

const toLine = (text: string): string => text.trim().replaceAll(/\s+/g, " ");

/** Only the button that confirms that the secret is stored closes it. The browser asks before it leaves the page. */
function SecretDialog({ of, onStored }: { of: Secret; onStored(): void }): JSX.Element {
  useLayoutEffect(() => {
    const ask = (event: Event): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  return (
    <Dialog title={of.title}>
      <p>
        This is the only time that the server shows it. Copy it to where it is needed, such as a password
        manager or the secrets of your CI.
      </p>
      <Copyable title={of.name}>{of.secret}</Copyable>
      {of.lines?.map(({ title, text }) => (
        <Copyable title={title} key={title}>
          {text}
        </Copyable>
      ))}
      {of.text}
      <button class="primary" onClick={onStored}>
        I have stored it
      </button>
    </Dialog>
  );
}
