import { createMutex } from "../../../lib/mutex.ts";
import { StoreError, toStoreError } from "../errors.ts";
import { toUnavailable } from "../unavailable.ts";
import { type AuditEntry, type AuditHead, hashAuditLine, parseAuditLine, toAuditLine } from "./line.ts";
import type { AuditTape, StoredLine } from "./tape.ts";
import { verifyTape, type Verification } from "./verify.ts";

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
  tape: AuditTape;
  now: () => number;
  onError: (error: StoreError) => void;
}): AuditLog {
  const { tape, now, onError } = deps;
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
      const head = await tape.head();
      const line = toLine(head);
      const next = { seq: head.seq + 1, hash: hashAuditLine(line) };
      try {
        if (await tape.add(line, head, next)) return next;
      } catch (error) {
        // An answer that did not come in time says nothing of what was done.
        const found = await tape.head().catch(() => undefined);
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
          const head = await tape.head();
          if (parsed !== undefined && parsed.seq <= head.seq) {
            if (await holds(tape, line)) return false;
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
        yield* tape.lines();
      } catch (cause) {
        throw toUnavailable(toStoreError("read", "The audit trail", cause));
      }
    },
    verify: (anchor) => inTurn(() => attempt(() => verifyTape(tape, anchor))),
  };
}

async function holds(tape: AuditTape, line: string): Promise<boolean> {
  const wanted = Buffer.from(line);
  for await (const { bytes } of tape.lines()) if (wanted.equals(bytes)) return true;
  return false;
}
