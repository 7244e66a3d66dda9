import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { EventType } from "../event-types.ts";
import type { Graph } from "../graph.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SecretDialog } from "../ui/secret-dialog.tsx";
import { Text } from "../ui/text.tsx";
import {
  type Created,
  createMutation,
  deleteMutation,
  type Endpoint,
  recoverMutation,
  rotateMutation,
} from "./webhooks-api.ts";

/** What the user is asked, or shown, above the list. */
export type Asked =
  | { kind: "create" }
  | { kind: "rotate" | "recover" | "delete"; endpoint: Endpoint }
  | { kind: "recovered"; redelivered: number; more: boolean }
  | { kind: "secret"; secret: string; warning: string | null };

export interface EndpointDialogsProps {
  asked: Asked;
  graph: Graph;
  types: readonly EventType[];
  onAsk(asked: Asked | undefined): void;
}

/** The dialog for `asked`. */
export function EndpointDialogs({ asked, graph, types, onAsk }: EndpointDialogsProps): JSX.Element {
  const close = (): void => onAsk(undefined);
  async function showSecret(mutation: string, variables: object): Promise<void> {
    const { created } = await graph.request<Created>(mutation, variables);
    onAsk({ kind: "secret", ...created });
  }
  switch (asked.kind) {
    case "create":
      return (
        <CreateDialog
          types={types}
          create={(input) => showSecret(createMutation, { input })}
          onClose={close}
        />
      );
    case "rotate":
      return (
        <RotateDialog
          of={asked.endpoint}
          rotate={(grace) => showSecret(rotateMutation, { id: asked.endpoint.id, grace })}
          onClose={close}
        />
      );
    case "recover":
      return (
        <RecoverDialog
          of={asked.endpoint}
          recover={async (since) => {
            const answer = await graph.request<{ recoverDeliveries: { redelivered: number; more: boolean } }>(
              recoverMutation,
              { endpoint: asked.endpoint.id, since },
            );
            onAsk({ kind: "recovered", ...answer.recoverDeliveries });
          }}
          onClose={close}
        />
      );
    case "recovered":
      return (
        <Dialog title="Recover deliveries" onClose={close}>
          <p role="status">
            {asked.redelivered.toLocaleString()} {asked.redelivered === 1 ? "delivery is" : "deliveries are"}{" "}
            sent again.{asked.more ? " There are more: recover once more." : ""}
          </p>
          <button class="primary" onClick={close}>
            Close
          </button>
        </Dialog>
      );
    case "delete":
      return (
        <ConfirmDialog
          title="Delete an endpoint"
          word={asked.endpoint.url}
          action="Delete"
          act={() => graph.request(deleteMutation, { id: asked.endpoint.id })}
          onClose={close}
        >
          <p>Nothing is sent to it any more, and deliveries that wait for it fail.</p>
        </ConfirmDialog>
      );
    case "secret":
      return (
        <SecretDialog title="The signing secret" name="Secret" secret={asked.secret} onStored={close}>
          {asked.warning === null ? null : <p class="notice">{asked.warning}</p>}
        </SecretDialog>
      );
  }
}

interface CreateDialogProps {
  types: readonly EventType[];
  create(input: object): Promise<void>;
  onClose(): void;
}

function CreateDialog({ types, create, onClose }: CreateDialogProps): JSX.Element {
  const url = useSignal("");
  const method = useSignal("POST");
  const description = useSignal("");
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const retries = useSignal("no");
  return (
    <FormDialog
      title="Add an endpoint"
      action="Add"
      act={() =>
        create({
          url: url.value.trim(),
          method: method.value,
          events: chosen.value.size === 0 ? null : [...chosen.value],
          description: description.value === "" ? null : description.value,
          retryClientErrors: retries.value === "yes",
        })
      }
      onClose={onClose}
    >
      <TextField
        label="URL"
        hint="The server sends a signed request to it for each event."
        value={url}
        type="url"
        required
        maxLength={2000}
      />
      <fieldset>
        <legend>Events; all of them if none is chosen</legend>
        {types.map(({ id, name, title }) => (
          <label class="check" key={id}>
            <input
              type="checkbox"
              checked={chosen.value.has(id)}
              onChange={({ currentTarget }) => {
                const next = new Set(chosen.value);
                if (currentTarget.checked) next.add(id);
                else next.delete(id);
                chosen.value = next;
              }}
            />
            <span>
              <code>{name}</code> {title}
            </span>
          </label>
        ))}
      </fieldset>
      <TextField label="Description (optional)" value={description} maxLength={200} />
      <SelectField
        label="Method"
        value={method}
        options={[
          ["POST", "POST"],
          ["PUT", "PUT"],
        ]}
      />
      <SelectField
        label="An answer of 4xx"
        value={retries}
        options={[
          ["no", "ends the delivery"],
          ["yes", "is retried"],
        ]}
      />
    </FormDialog>
  );
}

const graces = [
  ["24h", "for a day"],
  ["7d", "for a week"],
  ["2h", "for two hours"],
  ["0", "no longer"],
] as const;

interface RotateDialogProps {
  of: Endpoint;
  rotate(grace: string): Promise<void>;
  onClose(): void;
}

function RotateDialog({ of, rotate, onClose }: RotateDialogProps): JSX.Element {
  const grace = useSignal("24h");
  return (
    <FormDialog
      title="Rotate a signing secret"
      action="Rotate"
      act={() => rotate(grace.value)}
      onClose={onClose}
    >
      <p>
        Requests to <Text>{of.url}</Text> are signed with the new secret at once. With the old one besides, a
        receiver that knows either accepts them.
      </p>
      <SelectField label="The old secret signs too" value={grace} options={graces} />
    </FormDialog>
  );
}

const spans = [
  ["1h", "the last hour"],
  ["24h", "the last day"],
  ["7d", "the last week"],
  ["30d", "the last 30 days"],
] as const;

interface RecoverDialogProps {
  of: Endpoint;
  recover(since: string): Promise<void>;
  onClose(): void;
}

function RecoverDialog({ of, recover, onClose }: RecoverDialogProps): JSX.Element {
  const since = useSignal("24h");
  return (
    <FormDialog
      title="Recover deliveries"
      action="Send again"
      act={() => recover(since.value)}
      onClose={onClose}
    >
      <p>
        Failed deliveries to <Text>{of.url}</Text> are sent again, the oldest first, at most 10,000.
      </p>
      <SelectField label="Added in" value={since} options={spans} />
    </FormDialog>
  );
}
