import { ToolError } from "../catalog/errors.ts";
import { StoreError } from "./errors.ts";

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

/**
 * Returns the message for the operator: for a fault of the store the full reason instead of the sentence for callers.
 */
export const reasonOf = ({ cause, message }: ToolError): string =>
  cause instanceof StoreError ? cause.reason : message;
