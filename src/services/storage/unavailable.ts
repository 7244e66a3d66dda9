import { ToolError } from "../../catalog/errors.ts";
import type { StoreError } from "./errors.ts";

/**
 * The refusal behind which a fault of the store stands: the caller is told that it did not work, the operator's own
 * command shows the cause.
 */
export function toUnavailable(error: StoreError): ToolError {
  const refusal = new ToolError("storage_unavailable", "The store cannot be used now. Try again later.", {
    retryAfter: 5,
  });
  refusal.cause = error;
  return refusal;
}
