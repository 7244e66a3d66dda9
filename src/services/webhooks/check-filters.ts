import { ToolError } from "../../catalog/errors.ts";
import { nearest } from "../../catalog/nearest.ts";
import { eventTypes, isEventType } from "../events/types.ts";
import { requireAccount } from "../require-account.ts";
import type { DeliveryQuery } from "../storage/deliveries/delivery-queue.ts";
import type { Store } from "../storage/storage.ts";

/**
 * For a query that has found nothing: whether it could have. What is mistyped must not look as if all were well. Of an
 * account that was deleted, and of types that another release knows, something is found or nothing is left.
 * @throws ToolError `invalid_input` or `not_found`.
 */
export async function checkFilters(
  { endpoint, event, type, account }: Pick<DeliveryQuery, "endpoint" | "event" | "type" | "account">,
  accounts: Store["accounts"],
): Promise<void> {
  // Not repeated: it may be a secret on the wrong side of an option.
  if (endpoint !== undefined && !/^we_[0-9a-f]{24}$/.test(endpoint))
    throw refused(
      "/endpoint",
      "This is no id of an endpoint (we_…). penknife admin webhooks list shows them all.",
    );
  if (event !== undefined && !/^evt_[0-9a-f-]{36}$/.test(event))
    throw refused("/event", "This is no id of an event (evt_…).");
  if (type !== undefined && !isEventType(type)) {
    const near = nearest(type, eventTypes);
    throw refused(
      "/type",
      `There is no event of this type. ${near === undefined ? `There are ${eventTypes.join(", ")}.` : `Did you mean ${near}?`}`,
    );
  }
  if (account !== undefined) await requireAccount(accounts, account);
}

function refused(pointer: string, message: string): ToolError {
  return new ToolError("invalid_input", message, { errors: [{ message, pointer }] });
}
