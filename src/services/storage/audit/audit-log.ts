import { createMutex } from "../../../lib/mutex.ts";
import { StoreError, toStoreError } from "../errors.ts";
import { toUnavailable } from "../unavailable.ts";
import { type AuditEntry, type AuditHead, hashAuditLine, parseAuditLine, toAuditLine } from "./line.ts";
import type { AuditStore, StoredLine } from "./audit-store.ts";
import { verifyTrail, type Verification } from "./verify.ts";

/** The trail of administrative acts: lines of JSON, each with the hash of the one before it. */
export interface AuditLog {
  /** Durable when it resolves. @throws ToolError storage_unavailable: then nothing may be done that it was to tell of. */
  append(entry: AuditEntry): Promise<AuditHead>;
  /**
   * Adds a line of another trail exactly as it is, so that a copy has the hashes of the original. Returns false for one that
   * is there already. @throws ToolError storage_unavailable, also where it does not follow the last line.
   */
  adopt(line: string): Promise<boolean>;
  /** Every line, the oldest first. @throws ToolError storage_unavailable. */
  read(): AsyncIterable<StoredLine>;
  /** Walks the whole chain. `anchor` is a head that was noted earlier: it must still be in it. */
  verify(anchor?: AuditHead): Promise<Verification>;
}

const attempts = 50;

export function createAuditLog(deps: {
  store: AuditStore;
  now: () => number;
  onError: (error: StoreError) => void;
}): AuditLog {
  const { store, now, onError } = deps;
  const inTurn = createMutex();

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      const error = toStoreError("write", "The audit trail", cause);
      onError(error);
      throw toUnavailable(error);
    }
  }

  /** `toLine` is asked again where another process was faster. */
  async function add(toLine: (head: AuditHead) => string): Promise<AuditHead> {
    for (let n = 0; n < attempts; n++) {
      const head = await store.head();
      const line = toLine(head);
      const next = { seq: head.seq + 1, hash: hashAuditLine(line) };
      try {
        if (await store.add(line, head, next)) return next;
      } catch (error) {
        // An answer that did not come in time says nothing of what was done.
        const found = await store.head().catch(() => undefined);
        if (found?.hash === next.hash) return next;
        throw error;
      }
    }
    throw new StoreError("write", "Too many write the audit trail at once. Try again.");
  }

  return {
    append: (entry) => inTurn(() => attempt(() => add((head) => toAuditLine(entry, head, now())))),
    adopt: (line) =>
      inTurn(() =>
        attempt(async () => {
          const parsed = parseAuditLine(line);
          const head = await store.head();
          if (parsed !== undefined && parsed.seq <= head.seq) {
            if (await holds(store, line)) return false;
          } else if (parsed?.seq === head.seq + 1 && parsed.prev === head.hash) {
            await add(() => line);
            return true;
          }
          throw new StoreError(
            "write",
            `The audit trail ends with line ${head.seq}, and what was to be added does not follow it.`,
          );
        }),
      ),
    async *read() {
      try {
        yield* store.lines();
      } catch (cause) {
        throw toUnavailable(toStoreError("read", "The audit trail", cause));
      }
    },
    verify: (anchor) => inTurn(() => attempt(() => verifyTrail(store, anchor))),
  };
}

async function holds(store: AuditStore, line: string): Promise<boolean> {
  const wanted = Buffer.from(line);
  for await (const { bytes } of store.lines()) if (wanted.equals(bytes)) return true;
  return false;
}
