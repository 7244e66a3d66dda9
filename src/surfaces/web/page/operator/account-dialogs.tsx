import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Graph } from "../graph.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { SelectField, TextField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SecretDialog } from "../ui/secret-dialog.tsx";
import {
  type Account,
  createMutation,
  deleteMutation,
  disableMutation,
  loginMutation,
  updateMutation,
} from "./accounts-api.ts";

/** What the operator is asked, or shown, above the list. */
export type Asked =
  | { kind: "create" }
  | { kind: "change" | "disable" | "delete" | "login"; account: Account }
  | { kind: "code"; account: string; code: string };

export interface AccountDialogsProps {
  asked: Asked;
  graph: Graph;
  root: URL;
  onAsk(asked: Asked | undefined): void;
}

/** The dialog for `asked`. */
export function AccountDialogs({ asked, graph, root, onAsk }: AccountDialogsProps): JSX.Element {
  const close = (): void => onAsk(undefined);
  switch (asked.kind) {
    case "create":
      return (
        <AccountDialog
          send={async (input) => {
            await graph.request(createMutation, { input });
            close();
          }}
          onClose={close}
        />
      );
    case "change":
      return (
        <AccountDialog
          of={asked.account}
          send={async ({ name: _name, ...input }) => {
            await graph.request(updateMutation, { name: asked.account.name, input });
            close();
          }}
          onClose={close}
        />
      );
    case "disable":
      return (
        <ConfirmDialog
          title="Disable an account"
          action="Disable"
          act={() => graph.request(disableMutation, { name: asked.account.name })}
          onClose={close}
        >
          <p>
            The keys and sessions of <strong>{asked.account.name}</strong> are refused until you enable it
            again.
          </p>
        </ConfirmDialog>
      );
    case "delete":
      return (
        <ConfirmDialog
          title="Delete an account"
          word={asked.account.name}
          action="Delete"
          act={() => graph.request(deleteMutation, { name: asked.account.name })}
          onClose={close}
        >
          <p>Its keys are revoked for good, and its sessions end. Its usage stays in the history.</p>
        </ConfirmDialog>
      );
    case "login":
      return (
        <FormDialog
          title="A link to sign in"
          action="Create the link"
          act={async () => {
            const { name } = asked.account;
            const answer = await graph.request<{ createLogin: { code: string } }>(loginMutation, { name });
            onAsk({ kind: "code", account: name, code: answer.createLogin.code });
          }}
          onClose={close}
        >
          <p>
            Whoever opens it can sign in to <strong>{asked.account.name}</strong>, once, within ten minutes.
          </p>
        </FormDialog>
      );
    case "code":
      return (
        <SecretDialog
          title={`A link for ${asked.account}`}
          name="Link"
          secret={new URL(`sign-in#code=${asked.code}`, root).href}
          lines={[{ title: "Code", text: asked.code }]}
          onStored={close}
        >
          <p>Give it to the owner of the account over a channel that only the owner reads.</p>
        </SecretDialog>
      );
  }
}

const plans = [
  ["FREE", "Free: 100 requests an hour for each address, no keys"],
  ["PRO", "Pro: 1,000 requests an hour"],
  ["TEAM", "Team: 10,000 requests an hour, or more"],
] as const;

interface AccountDialogProps {
  /** The account to change; undefined for a new one. */
  of?: Account;
  send(input: { name: string; plan: string; limit?: number; revokeKeys?: boolean }): Promise<void>;
  onClose(): void;
}

function AccountDialog({ of, send, onClose }: AccountDialogProps): JSX.Element {
  const name = useSignal(of?.name ?? "");
  const plan = useSignal<string>(of?.plan ?? "PRO");
  const limit = useSignal(of?.plan === "TEAM" ? String(of.limit) : "");
  const revoke = useSignal("no");
  const losesKeys = of !== undefined && of.plan !== "FREE" && plan.value === "FREE";
  return (
    <FormDialog
      title={of === undefined ? "Create an account" : "Change an account"}
      action={of === undefined ? "Create" : "Change"}
      act={() =>
        send({
          name: name.value.trim(),
          plan: plan.value,
          ...(plan.value === "TEAM" && limit.value !== "" && { limit: Number(limit.value) }),
          ...(losesKeys && { revokeKeys: revoke.value === "yes" }),
        })
      }
      onClose={onClose}
    >
      {of === undefined ? (
        <TextField
          label="Name"
          hint="1 to 63 lower-case letters, digits and hyphens; it cannot be changed."
          value={name}
          required
          maxLength={63}
        />
      ) : (
        <p>
          <strong>{of.name}</strong>
        </p>
      )}
      <SelectField label="Plan" value={plan} options={plans} />
      {plan.value === "TEAM" ? (
        <TextField
          label="Requests an hour (optional)"
          hint="At least 10,000, which is the default."
          value={limit}
          type="number"
          min="10000"
        />
      ) : null}
      {losesKeys ? (
        <SelectField
          label="Its keys"
          hint="A free account has none."
          value={revoke}
          options={[
            ["no", "refuse the change if there are live keys"],
            ["yes", "revoke them for good"],
          ]}
        />
      ) : null}
    </FormDialog>
  );
}
