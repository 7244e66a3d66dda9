import { type Signal, signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { useAct } from "./act.ts";
import { Dialog } from "./dialog.tsx";
import { type FormField, TextField, type Values } from "./fields.tsx";
import type { PageProps } from "./frame.tsx";
import { Tabs } from "./tabs.tsx";
import { Text, toVisible } from "./text.tsx";

/** A form in a dialog, and the act that sends it. */
export interface Question<V extends Values = Values, Data = unknown> {
  title: string;
  /** Stands above the fields. */
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
  /** Names the kind of secret, such as "Key". */
  name: string;
  secret: string;
  /** Stands below the title. */
  lead?: string;
  /** Lines that contain the secret, ready to be pasted somewhere; one of them is shown. */
  lines?: readonly { title: string; text: string }[];
  text?: ComponentChildren;
}

/** The outcome of an act. */
export interface Note {
  title: string;
  text: ComponentChildren;
}

/** The content of a dialog. */
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
      <footer>
        <button class="primary end" onClick={close}>
          Close
        </button>
      </footer>
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
        <p role="alert">{message.value}</p>
        <footer>
          <button
            type="button"
            class="end"
            aria-disabled={isBusy.value}
            onClick={() => {
              if (!isBusy.value) onClose();
            }}
          >
            Cancel
          </button>
          <button
            class={of.isDanger ? "danger primary" : "primary"}
            aria-disabled={!isAllowed || isBusy.value}
          >
            {of.action}
          </button>
        </footer>
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

/**
 * Neither Escape nor a click beside it closes it, and its button does only after the person has said that the secret is stored.
 * The browser asks before it leaves the page.
 */
function SecretDialog({ of, onStored }: { of: Secret; onStored(): void }): JSX.Element {
  const isStored = useSignal(false);
  const secret = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    const ask = (event: Event): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  return (
    <Dialog title={of.title} lead={of.lead ?? "It is shown only this once."}>
      <div class="secret" role="group" aria-label={of.name}>
        <pre ref={secret}>
          <code>{of.secret}</code>
        </pre>
        <CopyButton title={of.name} class="primary small" source={() => secret.current} />
      </div>
      {of.lines === undefined ? null : <Lines of={of.lines} />}
      {of.text}
      <footer>
        <label class="check">
          <input
            type="checkbox"
            checked={isStored.value}
            onChange={({ currentTarget }) => (isStored.value = currentTarget.checked)}
          />
          I have stored it
        </label>
        <button
          class="end"
          aria-disabled={!isStored.value}
          title={isStored.value ? undefined : "First say that you have stored it."}
          onClick={() => {
            if (isStored.value) onStored();
          }}
        >
          Close
        </button>
      </footer>
    </Dialog>
  );
}

/** Texts of which one is shown. */
function Lines({ of: lines }: { of: NonNullable<Secret["lines"]> }): JSX.Element {
  const id = useId();
  const chosen = useSignal(lines[0]?.title ?? "");
  const text = useRef<HTMLPreElement>(null);
  const line = lines.find(({ title }) => title === chosen.value);
  return (
    <div class="lines">
      <div class="lines-head">
        <Tabs
          label="Ready to be pasted"
          tabs={lines.map(({ title }) => ({ id: title, label: title }))}
          chosen={chosen.value}
          panel={id}
          onChoose={(title) => (chosen.value = title)}
        />
        <CopyButton title={chosen.value} class="quiet small end" source={() => text.current} />
      </div>
      <div role="tabpanel" id={id} aria-label={chosen.value}>
        <pre ref={text} class="block" tabIndex={0}>
          <code>{line?.text}</code>
        </pre>
      </div>
    </div>
  );
}
