import { StoreError, type StoreOperation } from "../errors.ts";
import type { Answer, Outcome } from "./calls.ts";

/** The databases of a store: see `database.ts` and `history/database.ts`. */
export type Lane = "records" | "history";

/** A message from a store to the thread of its databases. */
export type ToThread = { act: "call"; lane: Lane; calls: unknown[] } | { act: "close" };

/** A message from the thread: outcomes in the order of the calls of a lane. */
export type FromThread =
  | { act: "opened" }
  | { act: "answer"; lane: Lane; outcomes: Sent[] }
  | { act: "failed"; outcome: Sent }
  | { act: "closed" };

/** An outcome between threads, where errors lose their class and their code. */
export type Sent = { answer: Answer } | { message: string; code?: string; operation?: StoreOperation };

export function toSent(outcome: Outcome): Sent {
  if (!("error" in outcome)) return outcome;
  const { error } = outcome;
  if (error instanceof StoreError) return { message: error.reason, operation: error.operation };
  const { message, code }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  return { message, ...(code !== undefined && { code }) };
}

export function fromSent(sent: Sent): Outcome {
  if ("answer" in sent) return sent;
  const { message, code, operation } = sent;
  if (operation !== undefined) return { error: new StoreError(operation, message) };
  return { error: Object.assign(new Error(message), code !== undefined && { code }) };
}
