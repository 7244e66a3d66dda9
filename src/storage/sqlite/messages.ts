import { StoreError, type StoreOperation } from "../errors.ts";
import type { Answer, Call, Outcome } from "./calls.ts";

/** What a store sends to the thread of its database. */
export type ToThread = { act: "call"; calls: Call[] } | { act: "close" };

/** What the thread sends: outcomes in the order of the calls. */
export type FromThread =
  | { act: "opened" }
  | { act: "answer"; outcomes: Sent[] }
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
