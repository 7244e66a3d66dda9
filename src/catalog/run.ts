import type { Catalog, CatalogTool } from "./catalog.ts";
import { type ErrorCode, ToolError } from "./errors.ts";
import { type Answer, type Call, executeAtOnce, sizeOf, type ToolCall } from "./execute.ts";
import { inlineGrowth, TooMuchInline } from "./inline.ts";
import type { LoopShare } from "./loop-share.ts";
import type { Step } from "./pipeline.ts";
import type { Principal, Ticket } from "./principal.ts";
import type { PipelineCall, PipelineDeps } from "./run-pipeline.ts";
import type { Isolation, ToolContext } from "./tool.ts";
import type { Runtime } from "../runtime.ts";

/** A finished run, as passed to the observer. */
export interface RunResult {
  slug: string;
  principal: Principal;
  /** "ok", the code of the refusal, or "cancelled" if the caller disconnected. */
  outcome: "ok" | "cancelled" | ErrorCode;
  /** Milliseconds, including the wait for a worker. */
  duration: number;
  /** Bytes of the body and of the result; the result of a failed run has 0. */
  inputBytes: number;
  outputBytes: number;
  isolated: boolean;
  /** Set for a pipeline as a whole; each of its steps is observed as well. */
  composed?: true;
  /** A bug, for the log. */
  error?: unknown;
}

/** The narrow waist: every surface runs every tool through it. */
export interface Runner {
  /**
   * Counts one request of the caller, before its body is read, so that malformed, oversized and unknown calls
   * count too and a spent quota costs nothing more. Returns a promise only if the store has to be asked.
   * @throws ToolError quota_exceeded, storage_unavailable.
   */
  admit(principal: Principal): Ticket | Promise<Ticket>;
  /**
   * Counts `count` more runs for the caller of a ticket, all or none, and returns a ticket for each. Updates the quota of
   * the given ticket.
   * @throws ToolError quota_exceeded if they do not all fit, storage_unavailable.
   */
  admitMore(ticket: Ticket, count: number): Promise<readonly Ticket[]>;
  /**
   * Runs one tool or one named pipeline for one ticket. `signal` stops the work when the caller disconnects.
   * @throws ToolError; any other error is a bug.
   */
  run(call: ToolCall, ticket: Ticket, signal?: AbortSignal): Promise<Answer>;
  /**
   * Returns the largest body, in bytes, with which the tool runs on the event loop; -1 if it never does. Without a tool:
   * the largest envelope of a pipeline. A call that leaves the loop takes over the buffer of its body and can be stopped.
   */
  maxInlineBytes(tool?: CatalogTool): number;
  /**
   * Runs the steps of the caller, each as a run of its own. All are validated and counted before the first one runs. The
   * ticket pays for the first, and its quota is updated for the others.
   * @throws ToolError with the step in its message and pointers; quota_exceeded if they do not all fit.
   */
  runPipeline(call: PipelineCall, ticket: Ticket, signal?: AbortSignal): Promise<Answer>;
}

export interface RunnerDeps {
  catalog: Catalog;
  /** Counts that many requests, or none if they do not all fit into the quota. */
  admit(principal: Principal, requests: number): Ticket | Promise<Ticket>;
  /**
   * Runs a call off the event loop, within the deadline and the memory limit. `principal` is the caller: callers get fair
   * shares of the workers.
   */
  isolate(
    call: Call,
    signal: AbortSignal | undefined,
    principal: Principal,
    place: Isolation,
  ): Promise<Answer>;
  context: ToolContext;
  /** Largest body that runs on the event loop, in bytes, for any tool. */
  inlineBytes: number;
  /** Largest document that a step of a pipeline passes to the next, in bytes; 128 MiB by default. */
  maxDocumentBytes?: number;
  runtime: Runtime;
  /** Grants a turn before a tool runs on the event loop. Absent if the loop has one caller, as at the command line. */
  loop?: LoopShare;
  /** Called when a tool starts on the event loop; `time` is the current time, if known. */
  onInline?(ticket: Ticket, slug: string, time?: number): void;
  observe(result: RunResult): void;
}

/**
 * Marks a ticket that was not used yet. A ticket pays for one run; a forged or reused ticket is a bug. The mark is on the
 * ticket, because every minor garbage collection would scan a whole WeakSet of tickets.
 */
const open: unique symbol = Symbol("open");
type OpenTicket = Ticket & { [open]?: boolean };

export function createRunner(deps: RunnerDeps): Runner {
  const { catalog, isolate, inlineBytes, runtime, loop, observe } = deps;
  const context: ToolContext = { ...deps.context, inlineResultBytes: inlineBytes * inlineGrowth };

  function admit(principal: Principal): Ticket | Promise<Ticket> {
    const ticket = deps.admit(principal, 1);
    return ticket instanceof Promise ? ticket.then(opened) : opened(ticket);
  }

  const maxInlineBytes = (tool?: CatalogTool): number =>
    tool === undefined || tool.isolate === false ? inlineBytes : -1;

  async function run(call: ToolCall, ticket: Ticket, signal?: AbortSignal): Promise<Answer> {
    spend(ticket);
    const { tool } = call;
    if (isPipeline(tool)) return runNamed(tool, call, ticket, signal);
    const inputBytes = sizeOf(call.body);
    let isolated = inputBytes > maxInlineBytes(tool);
    const started = runtime.monotonic();
    const report = (outcome: RunResult["outcome"], outputBytes: number, error?: unknown): void =>
      observe({
        slug: tool.slug,
        principal: ticket.principal,
        outcome,
        duration: runtime.monotonic() - started,
        inputBytes,
        outputBytes,
        isolated,
        ...(error !== undefined && { error }),
      });
    try {
      let answer: Answer | undefined;
      if (!isolated) {
        const turn = loop?.take(started);
        if (turn !== undefined) {
          await turn;
          signal?.throwIfAborted();
        }
        deps.onInline?.(ticket, tool.slug, turn === undefined ? started : undefined);
        try {
          const done = executeAtOnce(tool, call, context);
          answer = done instanceof Promise ? await done : done;
        } catch (error) {
          if (!(error instanceof TooMuchInline)) throw error;
          isolated = true;
        }
      }
      answer ??= await isolate(toCall(call), signal, ticket.principal, tool.isolate || "thread");
      report("ok", answer.body.length);
      return answer;
    } catch (error) {
      if (error instanceof ToolError) report(error.code, 0);
      else if (signal?.aborted === true) report("cancelled", 0);
      else report("internal", 0, error);
      throw error;
    }
  }

  async function runNamed(
    pipeline: CatalogTool & { steps: readonly Step[] },
    call: ToolCall,
    ticket: Ticket,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const pipelines = await import("./run-pipeline.ts");
    const { slug } = pipeline;
    const { principal } = ticket;
    const inputBytes = sizeOf(call.body);
    const started = runtime.monotonic();
    const report = (outcome: RunResult["outcome"], outputBytes: number): void =>
      // A bug was reported by its step.
      observe({
        slug,
        principal,
        outcome,
        duration: runtime.monotonic() - started,
        inputBytes,
        outputBytes,
        isolated: false,
        composed: true,
      });
    try {
      const answer = await pipelines.runNamed(pipeline, call, toPipelineDeps(ticket, signal), signal);
      report("ok", answer.body.length);
      return answer;
    } catch (error) {
      report(
        error instanceof ToolError ? error.code : signal?.aborted === true ? "cancelled" : "internal",
        0,
      );
      throw error;
    }
  }

  async function runPipeline(call: PipelineCall, ticket: Ticket, signal?: AbortSignal): Promise<Answer> {
    spend(ticket);
    const pipelines = await import("./run-pipeline.ts");
    return pipelines.runPipeline(call, toPipelineDeps(ticket, signal), signal);
  }

  async function admitMore(ticket: Ticket, count: number): Promise<readonly Ticket[]> {
    if (count < 1) return [];
    const { principal, quota } = ticket;
    const more = await deps.admit(principal, count);
    // In place, because the surface that answers has the same object.
    if (quota !== undefined) Object.assign(quota, more.quota);
    return Array.from({ length: count }, (): OpenTicket => ({ ...ticket, [open]: true }));
  }

  const toPipelineDeps = (ticket: Ticket, signal: AbortSignal | undefined): PipelineDeps => ({
    catalog,
    maxInlineBytes: maxInlineBytes(),
    maxDocumentBytes: deps.maxDocumentBytes ?? 134_217_728,
    run,
    isolate: (call) => isolate(call, signal, ticket.principal, "thread"),
    // The ticket paid for the first step and is used up.
    admitSteps: async (count) => [
      { ...ticket, [open]: true } as OpenTicket,
      ...(await admitMore(ticket, count - 1)),
    ],
  });

  return { admit, admitMore, run, maxInlineBytes, runPipeline };
}

function opened(ticket: OpenTicket): Ticket {
  ticket[open] = true;
  return ticket;
}

function spend(ticket: OpenTicket): void {
  if (ticket[open] !== true) throw new Error("A run needs a ticket of its own");
  ticket[open] = false;
}

/** The part of a call that can be sent to a worker. */
const toCall = ({ tool: { slug }, body, form, check }: ToolCall): Call => ({ slug, body, form, check });

const isPipeline = (tool: CatalogTool): tool is CatalogTool & { steps: readonly Step[] } =>
  tool.steps !== undefined;
