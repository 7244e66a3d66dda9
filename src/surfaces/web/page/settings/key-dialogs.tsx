import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Graph } from "../graph.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { SelectField, TextField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
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
  const name = useSignal("");
  const lifetime = useSignal("90d");
  const date = useSignal("");
  return (
    <FormDialog
      title="Generate a new key"
      action="Generate"
      // The key works on the whole of the chosen day.
      act={() =>
        generate(name.value.trim(), lifetime.value === "date" ? `${date.value}T23:59:59Z` : lifetime.value)
      }
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Where the key is used, such as the name of a CI project."
        value={name}
        maxLength={200}
      />
      <SelectField label="Expires" value={lifetime} options={lifetimes} />
      {lifetime.value === "date" ? (
        <TextField
          label="Last day (UTC)"
          value={date}
          type="date"
          required
          min={new Date().toISOString().slice(0, 10)}
        />
      ) : null}
    </FormDialog>
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
  const grace = useSignal("24h");
  return (
    <FormDialog title="Rotate a key" action="Rotate" act={() => rotate(grace.value)} onClose={onClose}>
      <p>
        You get a new key in place of <KeyName of={of} />, with the same name and lifetime. Both work until
        the old one stops.
      </p>
      <SelectField label="The old key stops" value={grace} options={graces} />
    </FormDialog>
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
      <TextField label="Reason (optional)" hint="Kept with the key." value={reason} maxLength={200} />
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
