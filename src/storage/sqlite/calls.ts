import type { Range } from "../lists.ts";
import type { Place } from "../record-kinds.ts";
import type { Change } from "./database.ts";

/** A call of a store to its records, which another thread may perform. */
export type Call =
  | { act: "read"; key: string }
  | { act: "swap"; key: string; change: Change }
  | { act: "entries"; list: string; range: Range }
  | { act: "count"; list: string }
  | { act: "strike"; key: string; place: Place };

/** The result of a call: any value that a thread can send. The caller knows its type. */
export type Answer = unknown;

/** A database that performs calls. */
export interface Target<C> {
  isWrite(call: C): boolean;
  perform(call: C): Answer;
  /** Runs work in one transaction. If it throws, nothing has happened. */
  transact<T>(work: () => T): T;
  /** Moves what was committed from the write-ahead log into the database, and truncates the log. */
  checkpoint(): void;
  close(): void;
}

export type Outcome = { answer: Answer } | { error: unknown };

/** A call, and who waits for its outcome. */
export interface Waiting<C = unknown> {
  call: C;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export function settle({ resolve, reject }: Pick<Waiting, "resolve" | "reject">, outcome: Outcome): void {
  if ("error" in outcome) reject(outcome.error);
  else resolve(outcome.answer);
}

/** Most calls of one transaction: the first of them waits for the last. */
const maxGroup = 512;

/**
 * Performs calls in their order, and yields their outcomes in parts. Those that wait together share a transaction and thus one sync; what
 * was read before the first write of them need not wait for it. If a transaction fails, each of its calls is tried alone, so that
 * none fails for another.
 */
export function* performAll<C>(database: Target<C>, calls: readonly C[]): Iterable<Outcome[]> {
  const first = calls.findIndex((call) => database.isWrite(call));
  const reads = first === -1 ? calls : calls.slice(0, first);
  if (reads.length > 0) yield reads.map((call) => performAlone(database, call));
  for (let at = reads.length; at < calls.length; at += maxGroup)
    yield performGroup(database, calls.slice(at, at + maxGroup));
}

function performGroup<C>(database: Target<C>, calls: readonly C[]): Outcome[] {
  if (calls.length === 1) return [performAlone(database, calls[0] as C)];
  try {
    return database.transact(() => calls.map((call) => ({ answer: database.perform(call) })));
  } catch {
    return calls.map((call) => performAlone(database, call));
  }
}

function performAlone<C>(database: Target<C>, call: C): Outcome {
  if (!database.isWrite(call)) return attempt(() => database.perform(call));
  const write = (): Outcome => attempt(() => database.transact(() => database.perform(call)));
  const outcome = write();
  if (!("error" in outcome)) return outcome;
  // The log may have taken the last space, and must not keep a part of what has failed.
  const cleared = attempt(() => {
    database.checkpoint();
    return null;
  });
  return "error" in cleared ? outcome : write();
}

function attempt(work: () => Answer): Outcome {
  try {
    return { answer: work() };
  } catch (error) {
    return { error };
  }
}
