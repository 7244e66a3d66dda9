import { type AuditHead, genesis } from "./line.ts";
import type { AuditStore } from "./audit-store.ts";

/** A trail that is lost when the process ends. */
export function createMemoryAudit(): AuditStore {
  const lines: string[] = [];
  let last: AuditHead = genesis;
  return {
    head: async () => last,
    async add(line, head, next) {
      if (head !== last) return false;
      lines.push(line);
      last = next;
      return true;
    },
    async *lines() {
      for (const [index, line] of lines.entries()) {
        yield { bytes: Buffer.from(line), place: `memory:${index + 1}`, torn: false };
      }
    },
    storedHead: async () => last,
  };
}
