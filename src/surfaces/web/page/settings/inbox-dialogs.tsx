import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Graph } from "../graph.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { SelectField, TextField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SecretDialog } from "../ui/secret-dialog.tsx";
import { createMutation, deleteMutation, type Inbox, updateMutation } from "./inboxes-api.ts";

/** What the user is asked, or shown, above the list. */
export type Asked =
  | { kind: "create" }
  | { kind: "change" | "delete"; inbox: Inbox }
  | { kind: "secret"; secret: string };

export interface InboxDialogsProps {
  asked: Asked;
  graph: Graph;
  onAsk(asked: Asked | undefined): void;
}

/** The dialog for `asked`. */
export function InboxDialogs({ asked, graph, onAsk }: InboxDialogsProps): JSX.Element {
  const close = (): void => onAsk(undefined);
  async function send(mutation: string, variables: object): Promise<void> {
    const { made } = await graph.request<{ made: { secret: string | null } }>(mutation, variables);
    onAsk(made.secret === null ? undefined : { kind: "secret", secret: made.secret });
  }
  switch (asked.kind) {
    case "create":
      return <InboxDialog send={(input) => send(createMutation, { input })} onClose={close} />;
    case "change":
      return (
        <InboxDialog
          of={asked.inbox}
          send={(input) => send(updateMutation, { id: asked.inbox.id, input })}
          onClose={close}
        />
      );
    case "delete":
      return (
        <ConfirmDialog
          title="Delete an inbox"
          word={asked.inbox.name ?? asked.inbox.id}
          action="Delete"
          act={() => graph.request(deleteMutation, { id: asked.inbox.id })}
          onClose={close}
        >
          <p>Its messages are deleted, and senders are refused.</p>
        </ConfirmDialog>
      );
    case "secret":
      return (
        <SecretDialog
          title="The signing secret of the inbox"
          name="Secret"
          secret={asked.secret}
          onStored={close}
        >
          <p>Enter it at the sender, which signs its messages with it.</p>
        </SecretDialog>
      );
  }
}

/** The schemes of senders, by their names in GraphQL. */
export const schemes = [
  ["NONE", "none: anyone may send"],
  ["GITHUB", "GitHub"],
  ["GITLAB", "GitLab"],
  ["SLACK", "Slack"],
  ["STRIPE", "Stripe"],
  ["STANDARD_WEBHOOKS", "Standard Webhooks, Svix"],
  ["PENKNIFE", "penknife"],
] as const;

const treatments = [
  ["REFUSE", "is refused with 401"],
  ["RECORD", "is kept, and marked"],
] as const;

interface InboxDialogProps {
  /** The inbox to change; undefined for a new one. */
  of?: Inbox;
  send(input: object): Promise<void>;
  onClose(): void;
}

function InboxDialog({ of, send, onClose }: InboxDialogProps): JSX.Element {
  const name = useSignal(of?.name ?? "");
  const scheme = useSignal(of?.scheme ?? "NONE");
  const secret = useSignal("");
  const onInvalid = useSignal(of?.onInvalid ?? "REFUSE");
  const status = useSignal(String(of?.status ?? 200));
  const body = useSignal(of?.body ?? "");
  const delayMs = useSignal(String(of?.delayMs ?? 0));
  return (
    <FormDialog
      title={of === undefined ? "Create an inbox" : "Change an inbox"}
      action={of === undefined ? "Create" : "Change"}
      act={() =>
        send({
          // Null removes it from an existing inbox; a new one has none.
          ...(name.value !== "" ? { name: name.value } : of && { name: null }),
          scheme: scheme.value,
          ...(secret.value !== "" && { secret: secret.value }),
          onInvalid: onInvalid.value,
          status: Number(status.value),
          ...(body.value !== "" ? { body: body.value } : of && { body: null }),
          delayMs: Number(delayMs.value),
        })
      }
      onClose={onClose}
    >
      <TextField label="Name" value={name} maxLength={100} />
      <SelectField label="Signatures of the sender" value={scheme} options={schemes} />
      {scheme.value === "NONE" ? null : (
        <>
          <TextField
            label="Signing secret"
            hint={
              of?.scheme === scheme.value
                ? "Leave it empty to keep the present one."
                : "Leave it empty to have one generated; enter it if the sender shows you one."
            }
            value={secret}
          />
          <SelectField label="A message with a wrong signature" value={onInvalid} options={treatments} />
        </>
      )}
      <TextField label="Status of the answer" value={status} type="number" min="200" required />
      <TextField
        label="Body of the answer (optional)"
        hint="By default it says whether the message is a duplicate."
        value={body}
      />
      <TextField label="Milliseconds before the answer" value={delayMs} type="number" min="0" required />
    </FormDialog>
  );
}
