import { createMutex } from "../../lib/mutex.ts";
import { StoreError, toStoreError } from "../errors.ts";
import { toUnavailable } from "../unavailable.ts";
import { type AuditEntry, type AuditHead, hashAuditLine, parseAuditLine, toAuditLine } from "./line.ts";
import type { AuditStore, StoredLine } from "./audit-store.ts";
import { verifyTrail, type Verification } from "./verify.ts";
import type { Runtime } from "../../runtime.ts";

/** The trail of administrative acts: lines of JSON, each with the hash of the one before it. */
export interface AuditLog {
  /**
   * Resolves when the line is on the disk. @throws ToolError storage_unavailable: the act to be recorded must then not
   * be carried out.
   */
  append(entry: AuditEntry): Promise<AuditHead>;
  /**
   * Adds a line of another trail unchanged, so that a copy has the hashes of the original. Returns false if the trail
   * has the line. @throws ToolError storage_unavailable, also if the line does not follow the last one.
   */
  adopt(line: string): Promise<boolean>;
  /** Yields every line, oldest first. @throws ToolError storage_unavailable */
  read(): AsyncIterable<StoredLine>;
  /** Verifies the whole chain. `anchor` is a head recorded earlier, which the chain must still contain. */
  verify(anchor?: AuditHead): Promise<Verification>;
}

const attempts = 50;

export function createAuditLog(deps: {
  store: AuditStore;
  runtime: Runtime;
  onError: (error: StoreError) => void;
}): AuditLog {
  const { store, runtime, onError } = deps;
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

  /** `toLine` is called again if another process added a line first. */
  async function add(toLine: (head: AuditHead) => string): Promise<AuditHead> {
    for (let n = 0; n < attempts; n++) {
      const head = await store.head();
      const line = toLine(head);
      const next = { seq: head.seq + 1, hash: hashAuditLine(line) };
      try {
        if (await store.add(line, head, next)) return next;
      } catch (error) {
        // An answer that did not come in time does not say whether the line was added.
        const found = await store.head().catch(() => undefined);
        if (found?.hash === next.hash) return next;
        throw error;
      }
    }
    throw new StoreError("write", "Too many processes write the audit trail at once. Try again.");
  }

  return {
    append: (entry) => inTurn(() => attempt(() => add((head) => toAuditLine(entry, head, runtime.now())))),
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
            `The audit trail ends with line ${head.seq}, and the line to add does not follow it.`,
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
