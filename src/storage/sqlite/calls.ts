import type { Range } from "../lists.ts";
import type { Place } from "../record-kinds.ts";
import type { Change, Database } from "./database.ts";

/** A call of a store to its database, which another thread may perform. */
export type Call =
  | { act: "read"; key: string }
  | { act: "swap"; key: string; change: Change }
  | { act: "entries"; list: string; range: Range }
  | { act: "count"; list: string }
  | { act: "strike"; key: string; place: Place };

/** What a call returns: a text, whether a record was replaced, entries, a number. */
export type Answer = string | null | boolean | string[] | number;

export type Outcome = { answer: Answer } | { error: unknown };

/** A call, and who waits for its outcome. */
export interface Waiting {
  call: Call;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export function settle({ resolve, reject }: Waiting, outcome: Outcome): void {
  if ("error" in outcome) reject(outcome.error);
  else resolve(outcome.answer);
}

const writes: ReadonlySet<Call["act"]> = new Set(["swap", "strike"]);

/** Most calls of one transaction: the first of them waits for the last. */
const maxGroup = 512;

/**
 * Performs calls in their order, and yields their outcomes in parts. Those that wait together share a transaction and thus one sync; what
 * was read before the first write of them need not wait for it. If a transaction fails, each of its calls is tried alone, so that
 * none fails for another.
 */
export function* performAll(database: Database, calls: readonly Call[]): Iterable<Outcome[]> {
  const first = calls.findIndex(isWrite);
  const reads = first === -1 ? calls : calls.slice(0, first);
  if (reads.length > 0) yield reads.map((call) => performAlone(database, call));
  for (let at = reads.length; at < calls.length; at += maxGroup)
    yield performGroup(database, calls.slice(at, at + maxGroup));
}

function performGroup(database: Database, calls: readonly Call[]): Outcome[] {
  if (calls.length === 1) return [performAlone(database, calls[0] as Call)];
  try {
    return database.transact(() => calls.map((call) => ({ answer: perform(database, call) })));
  } catch {
    return calls.map((call) => performAlone(database, call));
  }
}

function performAlone(database: Database, call: Call): Outcome {
  if (!isWrite(call)) return attempt(() => perform(database, call));
  const write = (): Outcome => attempt(() => database.transact(() => perform(database, call)));
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

function perform(database: Database, call: Call): Answer {
  switch (call.act) {
    case "read":
      return database.read(call.key);
    case "swap":
      return database.swap(call.key, call.change);
    case "entries":
      return database.entries(call.list, call.range);
    case "count":
      return database.count(call.list);
    case "strike":
      database.strike(call.key, call.place);
      return null;
  }
}

const isWrite = ({ act }: Call): boolean => writes.has(act);
