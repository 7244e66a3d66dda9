import { ToolError } from "../catalog/errors.ts";
import type { StoreError } from "./errors.ts";

/**
 * Wraps a fault of the store: the caller only learns that the operation failed, the operator's own command shows the
 * cause.
 */
export function toUnavailable(error: StoreError): ToolError {
  const refusal = new ToolError("storage_unavailable", "The store cannot be used now. Try again later.", {
    retryAfter: 5,
  });
  refusal.cause = error;
  return refusal;
}
