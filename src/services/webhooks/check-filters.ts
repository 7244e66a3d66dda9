import type { ToolError } from "../../catalog/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import { eventTypes, isEventType } from "../events/types.ts";
import { refused } from "../../catalog/refused.ts";
import { requireAccount } from "../access/require-account.ts";
import type { DeliveryQuery } from "../../storage/deliveries/delivery-queue.ts";
import type { Store } from "../../storage/storage.ts";

/**
 * Checks the filters of a query without results, so that a mistyped value does not look like an empty list. A deleted
 * account and the event types of another release are accepted while records of them remain. @throws ToolError
 * `invalid_input` or `not_found`.
 */
export async function checkFilters(
  { endpoint, event, type, account }: Pick<DeliveryQuery, "endpoint" | "event" | "type" | "account">,
  accounts: Store["accounts"],
): Promise<void> {
  // Not echoed: it may be a secret pasted into the wrong option.
  if (endpoint !== undefined && !/^we_[0-9a-f]{24}$/.test(endpoint))
    throw refused(
      "/endpoint",
      "This is not an endpoint id (we_…). penknife admin webhooks list shows them all.",
    );
  if (event !== undefined && !/^evt_[0-9a-f-]{36}$/.test(event))
    throw refused("/event", "This is not an event id (evt_…).");
  if (type !== undefined && !isEventType(type)) throw unknownType("/type", type);
  if (account !== undefined) await requireAccount(accounts, account);
}

/** `more` lists other accepted values, after the event types. */
export function unknownType(pointer: string, type: string, more = ""): ToolError {
  const near = nearest(type, eventTypes);
  const hint =
    near === undefined ? `The types are ${eventTypes.join(", ")}${more}.` : `Did you mean ${near}?`;
  return refused(pointer, `There is no such event type. ${hint}`);
}
