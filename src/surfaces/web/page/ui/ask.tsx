import { type Signal, signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { type Act, useAct } from "./act.ts";
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

/**
 * The dialog of a question, a secret or a note. What follows a question is shown in the same dialog: a browser that closes one and opens
 * another computes the style of all rows behind it twice. The title of `asked` is the key of the content: another question begins with
 * empty fields.
 */
export function AskDialog({ asked, page, onAsk }: AskDialogProps): JSX.Element {
  const act = useAct();
  const close = (): void => onAsk(undefined);
  // A question stays until its answer is there, which may contain a secret and would replace what was asked later.
  const isKept = "secret" in asked || act.isBusy.value;
  const lead = "secret" in asked ? (asked.lead ?? "It is shown only this once.") : undefined;
  return (
    <Dialog title={asked.title} lead={lead} onClose={isKept ? undefined : close}>
      {"act" in asked ? (
        <QuestionForm key={asked.title} of={asked} act={act} page={page} onAsk={onAsk} onClose={close} />
      ) : "secret" in asked ? (
        <SecretContent key={asked.title} of={asked} onStored={close} />
      ) : (
        <NoteContent key={asked.title} of={asked} onClose={close} />
      )}
    </Dialog>
  );
}

const NoteContent = ({ of, onClose }: { of: Note; onClose(): void }): JSX.Element => (
  <>
    <p role="status">{of.text}</p>
    <footer>
      <button class="primary end" onClick={onClose}>
        Close
      </button>
    </footer>
  </>
);

interface QuestionFormProps extends Pick<AskDialogProps, "page" | "onAsk"> {
  of: Question;
  act: Act;
  onClose(): void;
}

function QuestionForm({ of, act, page, onAsk, onClose }: QuestionFormProps): JSX.Element {
  const { run, isBusy, message } = act;
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
        <button class={of.isDanger ? "danger primary" : "primary"} aria-disabled={!isAllowed || isBusy.value}>
          {of.action}
        </button>
      </footer>
    </form>
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
function SecretContent({ of, onStored }: { of: Secret; onStored(): void }): JSX.Element {
  const isStored = useSignal(false);
  const secret = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    const ask = (event: Event): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  return (
    <>
      <p class="small" aria-hidden="true">
        {of.name}
      </p>
      <div class="secret" role="group" aria-label={of.name}>
        <pre ref={secret}>
          <code>{of.secret}</code>
        </pre>
        <CopyButton title={of.name} hasIcon class="primary small" source={() => secret.current} />
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
    </>
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
