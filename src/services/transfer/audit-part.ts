import { ToolError } from "../../catalog/errors.ts";
import { reasonOf } from "../../storage/unavailable.ts";
import { StoreError } from "../../storage/errors.ts";
import type { Store } from "../../storage/storage.ts";
import { auditId } from "./kinds.ts";
import type { Part } from "./parts.ts";

/**
 * A trail only grows: a copy appends the lines that the target lacks, byte for byte, so that every hash stays valid.
 */
export function createAuditPart(store: Store): Part<string> {
  return {
    conflicts: "keep",
    async *entries() {
      const trail = await store.audit();
      let position = 0;
      for await (const { bytes, place, torn } of trail.read()) {
        if (torn) continue;
        const id = auditId(position++);
        const value = decode(bytes);
        yield value === undefined
          ? { id, damaged: `${place} is not text: the audit trail was changed.` }
          : { id, value };
      }
    },
    async write(changes) {
      const trail = await store.audit();
      for (const { value } of changes) {
        try {
          await trail.adopt(value);
        } catch (error) {
          throw error instanceof ToolError
            ? new StoreError(
                "write",
                `The rest of the audit trail cannot be copied: ${reasonOf(error)} Run penknife admin audit --verify for the cause.`,
                error,
              )
            : error;
        }
      }
    },
  };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
