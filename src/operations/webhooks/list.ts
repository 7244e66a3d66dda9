import { z } from "zod";
import { defined } from "../../lib/defined.ts";
import { requireAccount } from "../../services/access/require-account.ts";
import { name } from "../fields.ts";
import { listOf, toList } from "../list.ts";
import { defineOperation } from "../operation.ts";
import { endpointView, toEndpointView } from "./view.ts";

export const listEndpoints = defineOperation({
  name: "webhooks.list",
  summary: "List endpoints, oldest first. Secrets are masked.",
  kind: "reads",
  callers: "owner",
  input: z.strictObject({ account: name.optional() }),
  output: listOf(endpointView),
  command: {
    options: { account: { hint: "NAME", text: "Only endpoints of this account" } },
    table: {
      headings: ["ENDPOINT", "ACCOUNT", "STATE", "METHOD", "URL", "EVENTS", "SECRET", "CREATED"],
      toRow: ({ id, account, state, disabledReason, method, url, events, secret, createdAt }) => [
        id,
        account,
        disabledReason === null ? state : `${state} (${disabledReason})`,
        method,
        url,
        events.join(","),
        secret ?? "unreadable",
        createdAt,
      ],
    },
  },
  graphql: {
    name: "webhookEndpoints",
    text: "Webhook endpoints, oldest first. Requires a settings session.",
    returns: "[WebhookEndpoint!]",
    session: true,
    args: { account: "For the operator: the account; all accounts by default." },
  },
  async run(context, { account }, { owner: caller }) {
    const { store, outbox } = context;
    const listing = await outbox.endpoints.list(defined({ account, caller }));
    // A deleted account keeps its endpoints for a while; a mistyped name has none.
    if (account !== undefined && listing.records.length === 0) await requireAccount(store.accounts, account);
    return toList(listing, (record) => toEndpointView(context, record));
  },
});
