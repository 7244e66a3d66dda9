import type { Catalog } from "./catalog.ts";
import { type ErrorCode, ToolError } from "./errors.ts";
import { type Answer, type Body, type Call, execute } from "./execute.ts";
import type { Principal, Ticket } from "./principal.ts";
import type { ToolContext } from "./tool.ts";

/** What the one observer is told of every run. */
export interface RunResult {
  slug: string;
  principal: Principal;
  /** "ok", the code of the refusal, or "cancelled" where the caller went away. */
  outcome: "ok" | "cancelled" | ErrorCode;
  /** Milliseconds, waiting for a worker included. */
  duration: number;
  /** Bytes of what came in and of what went out; 0 where it failed. */
  inputBytes: number;
  outputBytes: number;
  isolated: boolean;
  /** A bug, for the log. */
  error?: unknown;
}

/** The narrow waist: every surface runs every tool through it. */
export interface Runner {
  /**
   * Counts one request of the caller, before its body is read, so that malformed, oversized and unknown calls
   * count too and a spent quota costs nothing more.
   * @throws ToolError quota_exceeded, storage_unavailable.
   */
  admit(principal: Principal): Promise<Ticket>;
  /**
   * Runs one tool for one ticket. `signal` stops the work when the caller goes away.
   * @throws ToolError, and nothing else that is not a bug.
   */
  run(call: Call, ticket: Ticket, signal?: AbortSignal): Promise<Answer>;
}

export interface RunnerDeps {
  catalog: Catalog;
  admit(principal: Principal): Promise<Ticket>;
  /**
   * Runs a call away from the event loop, within the deadline and the memory limit. `principal` is who asks, so
   * that one caller's work can be kept from holding up another's.
   */
  isolate(call: Call, signal: AbortSignal | undefined, principal: Principal): Promise<Answer>;
  context: ToolContext;
  /** Bodies above this many bytes leave the event loop whatever the tool. */
  inlineBytes: number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  observe(result: RunResult): void;
}

/**
 * A ticket is good for one run: who forges one or uses it twice has found a bug of ours. The mark is on the ticket
 * itself, because a WeakSet of tickets would make every minor garbage collection look through all of them.
 */
const open: unique symbol = Symbol("open");
type OpenTicket = Ticket & { [open]?: boolean };

export function createRunner(deps: RunnerDeps): Runner {
  const { catalog, isolate, context, inlineBytes, monotonic, observe } = deps;
  async function admit(principal: Principal): Promise<Ticket> {
    const ticket: OpenTicket = await deps.admit(principal);
    ticket[open] = true;
    return ticket;
  }

  async function run(call: Call, ticket: Ticket, signal?: AbortSignal): Promise<Answer> {
    if ((ticket as OpenTicket)[open] !== true) throw new Error("A run needs a ticket of its own");
    (ticket as OpenTicket)[open] = false;
    const found = catalog.get(call.slug);
    const tool = found instanceof Promise ? await found : found;
    const inputBytes = sizeOf(call.body);
    const isolated = tool.isolate || inputBytes > inlineBytes;
    const started = monotonic();
    const tell = (outcome: RunResult["outcome"], outputBytes: number, error?: unknown): void =>
      observe({
        slug: tool.slug,
        principal: ticket.principal,
        outcome,
        duration: monotonic() - started,
        inputBytes,
        outputBytes,
        isolated,
        ...(error !== undefined && { error }),
      });
    try {
      const answer = await (isolated
        ? isolate(call, signal, ticket.principal)
        : execute(tool, call, context));
      tell("ok", answer.body.length);
      return answer;
    } catch (error) {
      if (error instanceof ToolError) tell(error.code, 0);
      else if (signal?.aborted === true) tell("cancelled", 0);
      else tell("internal", 0, error);
      throw error;
    }
  }

  return { admit, run };
}

function sizeOf(body: Body): number {
  if (body.kind !== "input") return body.bytes.length;
  let size = 0;
  for (const value of Object.values(body.input)) if (typeof value === "string") size += value.length;
  return size;
}
