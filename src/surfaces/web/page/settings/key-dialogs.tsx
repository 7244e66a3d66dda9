import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Graph } from "../graph.ts";
import { useAct } from "../ui/act.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { SecretDialog } from "../ui/secret-dialog.tsx";
import { Text } from "../ui/text.tsx";
import { generateMutation, type Key, revokeAllMutation, revokeMutation, rotateMutation } from "./keys-api.ts";

/** What the user is asked, or shown, above the list. */
export type Asked =
  | { kind: "generate" }
  | { kind: "rotate" | "revoke"; key: Key }
  | { kind: "revoke-all" }
  | { kind: "secret"; secret: string; title: string };

export interface KeyDialogsProps {
  asked: Asked;
  graph: Graph;
  root: URL;
  account: string;
  onAsk(asked: Asked | undefined): void;
}

/** The dialog for `asked`. */
export function KeyDialogs({ asked, graph, root, account, onAsk }: KeyDialogsProps): JSX.Element {
  const close = (): void => onAsk(undefined);
  const show = (secret: string, title: string): void => onAsk({ kind: "secret", secret, title });
  switch (asked.kind) {
    case "generate":
      return (
        <GenerateDialog
          onClose={close}
          generate={async (name, expires) => {
            const answer = await graph.request<{ generateKey: { secret: string } }>(generateMutation, {
              name: name === "" ? null : name,
              expires: expires === "" ? null : expires,
            });
            show(answer.generateKey.secret, "Your new key");
          }}
        />
      );
    case "rotate":
      return (
        <RotateDialog
          of={asked.key}
          onClose={close}
          rotate={async (grace) => {
            const variables = { id: asked.key.id, grace };
            const answer = await graph.request<{ rotateKey: { secret: string } }>(rotateMutation, variables);
            show(answer.rotateKey.secret, "The new key");
          }}
        />
      );
    case "revoke":
      return <RevokeDialog of={asked.key} graph={graph} onClose={close} />;
    case "revoke-all":
      return (
        <ConfirmDialog
          title="Revoke all keys"
          word={account}
          action="Revoke all keys"
          act={() => graph.request(revokeAllMutation)}
          onClose={close}
        >
          <p>
            Every key of the account stops at once and for good. This needs a sign-in within the last ten
            minutes: <a href={new URL("sign-in", root).href}>sign in again</a> if yours is older.
          </p>
        </ConfirmDialog>
      );
    case "secret":
      return (
        <SecretDialog
          title={asked.title}
          name="Key"
          secret={asked.secret}
          lines={[
            { title: "For a shell", text: `export PENKNIFE_KEY=${asked.secret}` },
            { title: "For the secrets of your CI", text: `PENKNIFE_KEY=${asked.secret}` },
            {
              title: "Try it",
              text: [
                `curl ${new URL("api/tools/uuid-generator", root).href}`,
                `-H 'Authorization: Bearer ${asked.secret}'`,
                "-H 'Content-Type: application/json' -d '{}'",
              ].join(" \\\n  "),
            },
          ]}
          onStored={close}
        />
      );
  }
}

const lifetimes = [
  ["30d", "In 30 days"],
  ["90d", "In 90 days"],
  ["365d", "In a year"],
  ["", "As late as this server allows"],
  ["date", "On a date"],
] as const;

interface GenerateDialogProps {
  generate(name: string, expires: string): Promise<void>;
  onClose(): void;
}

function GenerateDialog({ generate, onClose }: GenerateDialogProps): JSX.Element {
  const { run, isBusy, message } = useAct();
  const name = useSignal("");
  const lifetime = useSignal<string>("90d");
  const date = useSignal("");
  return (
    <Dialog title="Generate a new key" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // The key works on the whole of the chosen day.
          const expires = lifetime.value === "date" ? `${date.value}T23:59:59Z` : lifetime.value;
          void run(() => generate(name.value.trim(), expires));
        }}
      >
        <Field label="Name" hint="Where the key is used, such as the name of a CI project.">
          {(attributes) => (
            <input
              {...attributes}
              maxLength={200}
              autocomplete="off"
              value={name.value}
              onInput={({ currentTarget }) => (name.value = currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Expires">
          {(attributes) => (
            <select
              {...attributes}
              value={lifetime.value}
              onChange={({ currentTarget }) => (lifetime.value = currentTarget.value)}
            >
              {lifetimes.map(([value, text]) => (
                <option value={value} key={value}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
        {lifetime.value === "date" ? (
          <Field label="Last day (UTC)">
            {(attributes) => (
              <input
                {...attributes}
                type="date"
                required
                min={new Date().toISOString().slice(0, 10)}
                value={date.value}
                onInput={({ currentTarget }) => (date.value = currentTarget.value)}
              />
            )}
          </Field>
        ) : null}
        <p class="actions">
          <button class="primary" aria-disabled={isBusy.value}>
            Generate
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

const graces = [
  ["1h", "After an hour"],
  ["24h", "After a day"],
  ["7d", "After a week"],
  ["0s", "At once"],
] as const;

interface RotateDialogProps {
  of: Key;
  rotate(grace: string): Promise<void>;
  onClose(): void;
}

function RotateDialog({ of, rotate, onClose }: RotateDialogProps): JSX.Element {
  const { run, isBusy, message } = useAct();
  const grace = useSignal<string>("24h");
  return (
    <Dialog title="Rotate a key" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(() => rotate(grace.value));
        }}
      >
        <p>
          You get a new key in place of <KeyName of={of} />, with the same name and lifetime. Both work until
          the old one stops.
        </p>
        <Field label="The old key stops">
          {(attributes) => (
            <select
              {...attributes}
              value={grace.value}
              onChange={({ currentTarget }) => (grace.value = currentTarget.value)}
            >
              {graces.map(([value, text]) => (
                <option value={value} key={value}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
        <p class="actions">
          <button class="primary" aria-disabled={isBusy.value}>
            Rotate
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

function RevokeDialog({ of, graph, onClose }: { of: Key; graph: Graph; onClose(): void }): JSX.Element {
  const reason = useSignal("");
  return (
    <ConfirmDialog
      title="Revoke a key"
      word={of.name ?? of.start}
      action="Revoke"
      act={() =>
        graph.request(revokeMutation, { id: of.id, reason: reason.value === "" ? null : reason.value })
      }
      onClose={onClose}
    >
      <p>
        <KeyName of={of} /> stops at once and for good: whatever still uses it is refused.
      </p>
      <Field label="Reason (optional)" hint="Kept with the key.">
        {(attributes) => (
          <input
            {...attributes}
            maxLength={200}
            autocomplete="off"
            value={reason.value}
            onInput={({ currentTarget }) => (reason.value = currentTarget.value)}
          />
        )}
      </Field>
    </ConfirmDialog>
  );
}

/** The name and the first characters of a key. */
export const KeyName = ({ of: { name, start } }: { of: Pick<Key, "name" | "start"> }): JSX.Element => (
  <>
    {name === null ? null : (
      <>
        <Text>{name}</Text>{" "}
      </>
    )}
    <code>{start}…</code>
  </>
);
