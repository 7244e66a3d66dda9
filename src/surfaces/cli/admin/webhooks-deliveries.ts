import type { Table } from "../../../operations/command.ts";
import type { OutputOf } from "../../../operations/index.ts";
import { deliveryTable, listDeliveries } from "../../../operations/webhooks/deliveries.ts";
import type { AttemptView } from "../../../operations/webhooks/delivery.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import { writeJson } from "../json.ts";
import { renderTable } from "../table.ts";
import { usageError } from "../usage-error.ts";
import { writeList, writeOne } from "./answer.ts";
import { callAdmin } from "./connect.ts";
import { argsOf, toFields } from "./derived.ts";

/** One command for two operations: a list of deliveries, or one of them. */
export const deliveriesCommand = defineLeaf({
  description: "List deliveries, newest first, or show one with its attempts and body.",
  args: {
    id: { type: "positional", required: false, description: "Show this delivery (dlv_…)" },
    ...argsOf(listDeliveries),
    ...jsonArg,
  },
  examples: [
    "penknife admin webhooks deliveries --state failed --since 7d",
    "penknife admin webhooks deliveries dlv_019dd9e0-7c80-7a3b-8c2f-5b9e1d4a6f70 --json | jq -r .body",
  ],
  async run(args, host) {
    const fields = await toFields(listDeliveries, args, host);
    if (args.id === undefined) {
      const view = await callAdmin("webhooks.deliveries", fields, args, host);
      return writeList(view, deliveryTable, args.json, host);
    }
    if (Object.keys(fields).length > 0) throw usageError("Give the id of a delivery or filters, not both.");
    const view = await callAdmin("webhooks.delivery", { id: args.id }, args, host);
    if (args.json === true) await writeJson(host, view);
    else await writeDelivery(view, host);
    return 0;
  },
});

const attemptTable: Table<AttemptView> = {
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

async function writeDelivery({ log, ...view }: OutputOf<"webhooks.delivery">, host: Host): Promise<void> {
  await writeOne(view, false, host);
  if (log.length === 0) return;
  await host.stdout.write(
    `\n${renderTable(attemptTable.headings, log.map(attemptTable.toRow), host.stdout)}`,
  );
}
