import type { EndpointView, NewSecretView } from "./view.ts";

/** An endpoint in fields of one line each. */
export const flatEndpoint = (view: EndpointView): object => ({
  ...view,
  events: view.events.join(","),
  secret: view.secret ?? "unreadable: see storage.encryptionKey",
});

/** Returns the secret alone for standard output, and a note that names its endpoint and account. */
export function printSecret({ id, account, secret, previousUntil }: NewSecretView): {
  line: string;
  note: string;
} {
  const end = previousUntil === null ? "" : `, beside the old one until ${previousUntil}`;
  return {
    line: secret,
    note: `${id} of ${account} signs with it${end}. It is not shown again: store it now.`,
  };
}
