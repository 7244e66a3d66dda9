import type { AdminArgs, ListView } from "../../../services/admin/admin.ts";
import type { RecoverView } from "../../../services/webhooks/operations.ts";
import type { AttemptView, DeliveryDetailView, DeliveryView } from "../../../services/webhooks/views.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import { writeJson } from "../json.ts";
import { renderTable } from "../table.ts";
import { usageError } from "../usage-error.ts";
import { type Shape, writeList, writeOne } from "./answer.ts";
import { callAdmin } from "./connect.ts";

const when = "Since then: a duration such as 24h, a date, or an instant such as 2026-01-31T12:00:00Z";

const filters = {
  endpoint: { type: "string", valueHint: "ID", description: "Only deliveries to this endpoint (we_…)" },
  account: { type: "string", valueHint: "NAME", description: "Only deliveries of this account" },
  event: { type: "string", valueHint: "ID", description: "Only deliveries of this event (evt_…)" },
  type: { type: "string", valueHint: "TYPE", description: "Only events of this type, such as key.issued" },
  state: {
    type: "string",
    valueHint: "waiting|delivered|failed",
    description: "Only deliveries in this state",
  },
  since: { type: "string", valueHint: "WHEN", description: when },
  limit: {
    type: "string",
    valueHint: "N",
    description: "At most this many, newest first, 1 to 10000 (default 100)",
  },
} as const;

export const deliveriesCommand = defineLeaf({
  description: "List deliveries, newest first, or show one with its attempts and body.",
  args: {
    id: { type: "positional", required: false, description: "Show this delivery (dlv_…)" },
    ...filters,
    ...jsonArg,
  },
  examples: [
    "penknife admin webhooks deliveries --state failed --since 7d",
    "penknife admin webhooks deliveries dlv_019dd9e0-7c80-7a3b-8c2f-5b9e1d4a6f70 --json | jq -r .body",
  ],
  async run(args, host) {
    const fields = toQuery(args);
    if (args.id === undefined) {
      const view = await callAdmin<ListView<DeliveryView>>("webhooks.deliveries", fields, args, host);
      return writeList(view, deliveryShape, args.json, host);
    }
    if (Object.keys(fields).length > 0) throw usageError("Give the id of a delivery or filters, not both.");
    const view = await callAdmin<DeliveryDetailView>("webhooks.delivery", { id: args.id }, args, host);
    if (args.json === true) await writeJson(host, view);
    else await writeDelivery(view, host);
    return 0;
  },
});

export const redeliverCommand = defineLeaf({
  description: "Send a delivery again from its first attempt: the same event with the same id.",
  args: { id: { type: "positional", required: true, description: "The delivery (dlv_…)" }, ...jsonArg },
  async run(args, host) {
    const view = await callAdmin<DeliveryView>("webhooks.redeliver", { id: args.id }, args, host);
    await writeOne(view, args.json, host);
  },
});

export const recoverCommand = defineLeaf({
  description: "Send all failed deliveries of an endpoint since then again.",
  args: {
    id: { type: "positional", required: true, description: "The endpoint (we_…)" },
    since: { type: "string", valueHint: "WHEN", required: true, description: when },
    ...jsonArg,
  },
  async run({ since, ...args }, host) {
    const view = await callAdmin<RecoverView>("webhooks.recover", { id: args.id, since }, args, host);
    if (args.json === true) await writeJson(host, view);
    else await host.stdout.write(`${view.redelivered}\n`);
    if (view.more) {
      await host.stderr.write("penknife: there are more. Run this again after these are sent.\n");
    }
  },
});

const deliveryShape: Shape<DeliveryView> = {
  headings: [
    "DELIVERY",
    "TYPE",
    "ACCOUNT",
    "ENDPOINT",
    "STATE",
    "ATTEMPTS",
    "CREATED",
    "NEXT/ENDED",
    "REASON",
  ],
  toRow: ({ id, type, account, endpoint, state, attempts, createdAt, nextAt, endedAt, reason }) => [
    id,
    type,
    account,
    endpoint,
    state,
    String(attempts),
    createdAt,
    nextAt ?? endedAt ?? "-",
    reason ?? "-",
  ],
};

const attemptShape: Shape<AttemptView> = {
  headings: ["ATTEMPT", "AT", "MS", "OUTCOME", "STATUS", "ERROR", "ANSWER"],
  toRow: ({ number, at, durationMs, outcome, status, error, excerpt }) => [
    String(number),
    at,
    String(durationMs),
    outcome,
    status === null ? "-" : String(status),
    error ?? "-",
    excerpt ?? "-",
  ],
};

async function writeDelivery({ log, ...view }: DeliveryDetailView, host: Host): Promise<void> {
  await writeOne(view, false, host);
  if (log.length === 0) return;
  await host.stdout.write(
    `\n${renderTable(attemptShape.headings, log.map(attemptShape.toRow), host.stdout)}`,
  );
}

function toQuery(args: {
  [Name in keyof typeof filters]?: string | undefined;
}): AdminArgs<"webhooks.deliveries"> {
  const { endpoint, account, event, type, state, since, limit } = args;
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(account !== undefined && { account }),
    ...(event !== undefined && { event }),
    ...(type !== undefined && { type }),
    ...(state !== undefined && { state: toState(state) }),
    ...(since !== undefined && { since }),
    ...(limit !== undefined && { limit: toLimit(limit) }),
  };
}

function toState(text: string): DeliveryView["state"] {
  if (text === "waiting" || text === "delivered" || text === "failed") return text;
  throw usageError(`--state must be waiting, delivered or failed, got ${JSON.stringify(text.slice(0, 40))}.`);
}

function toLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,5}$/.test(text) && limit >= 1 && limit <= 10_000) return limit;
  throw usageError("--limit must be a whole number from 1 to 10000.");
}
