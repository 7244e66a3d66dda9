import type { Catalog, CatalogTool } from "./catalog.ts";
import { type ErrorCode, ToolError } from "./errors.ts";
import { type Answer, type Call, execute, sizeOf, type ToolCall } from "./execute.ts";
import { inlineGrowth, TooMuchInline } from "./inline.ts";
import type { LoopShare } from "./loop-share.ts";
import type { Step } from "./pipeline.ts";
import type { Principal, Ticket } from "./principal.ts";
import type { PipelineCall, PipelineDeps } from "./run-pipeline.ts";
import type { Isolation, ToolContext } from "./tool.ts";

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
  /** A pipeline as a whole, whose steps are told each on its own. */
  composed?: true;
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
   * Counts so many further runs for whoever holds a ticket, all of them or none, and gives a ticket for each. The quota
   * of the first is brought up to date.
   * @throws ToolError quota_exceeded where they do not all fit, storage_unavailable.
   */
  admitMore(ticket: Ticket, count: number): Promise<readonly Ticket[]>;
  /**
   * Runs one tool for one ticket, or a pipeline that has a name. `signal` stops the work when the caller goes away.
   * @throws ToolError, and nothing else that is not a bug.
   */
  run(call: ToolCall, ticket: Ticket, signal?: AbortSignal): Promise<Answer>;
  /**
   * The largest body, in bytes, that a call of the tool may have to run on the event loop; -1 if none does. Without a
   * tool: that of the envelope of a pipeline. A call that leaves the loop owns the buffer of its body and can be stopped.
   */
  inlineLimit(tool?: CatalogTool): number;
  /**
   * Runs steps that the caller gives, each as a run of its own. All are judged before any runs, and counted: the ticket
   * stands for the first of them, its quota is brought up to date for the others.
   * @throws ToolError with the step in its words and its pointers; quota_exceeded where not all of them fit.
   */
  runPipeline(call: PipelineCall, ticket: Ticket, signal?: AbortSignal): Promise<Answer>;
}

export interface RunnerDeps {
  catalog: Catalog;
  /** Counts that many requests, or none where they do not all fit into the quota. */
  admit(principal: Principal, requests: number): Promise<Ticket>;
  /**
   * Runs a call away from the event loop, within the deadline and the memory limit. `principal` is who asks, so
   * that one caller's work can be kept from holding up another's.
   */
  isolate(
    call: Call,
    signal: AbortSignal | undefined,
    principal: Principal,
    place: Isolation,
  ): Promise<Answer>;
  context: ToolContext;
  /** Bodies above this many bytes leave the event loop whatever the tool. */
  inlineBytes: number;
  /** Bytes of a document that one step of a pipeline may hand to the next; 128 MiB unless given. */
  maxDocumentBytes?: number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** Grants a turn before a tool runs on the event loop. Absent if nobody shares the loop, as at the command line. */
  loop?: LoopShare;
  /** Called when a tool begins to run on the event loop; `time` is the current time, if it is known. */
  onInline?(ticket: Ticket, slug: string, time?: number): void;
  observe(result: RunResult): void;
}

/**
 * A ticket is good for one run: who forges one or uses it twice has found a bug of ours. The mark is on the ticket
 * itself, because a WeakSet of tickets would make every minor garbage collection look through all of them.
 */
const open: unique symbol = Symbol("open");
type OpenTicket = Ticket & { [open]?: boolean };

export function createRunner(deps: RunnerDeps): Runner {
  const { catalog, isolate, inlineBytes, monotonic, loop, observe } = deps;
  const context: ToolContext = { ...deps.context, inlineResultBytes: inlineBytes * inlineGrowth };

  async function admit(principal: Principal): Promise<Ticket> {
    const ticket: OpenTicket = await deps.admit(principal, 1);
    ticket[open] = true;
    return ticket;
  }

  const inlineLimit = (tool?: CatalogTool): number =>
    tool === undefined || tool.isolate === false ? inlineBytes : -1;

  async function run(call: ToolCall, ticket: Ticket, signal?: AbortSignal): Promise<Answer> {
    spend(ticket);
    const { tool } = call;
    if (isPipeline(tool)) return runNamed(tool, call, ticket, signal);
    const inputBytes = sizeOf(call.body);
    let isolated = inputBytes > inlineLimit(tool);
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
      let answer: Answer | undefined;
      if (!isolated) {
        const turn = loop?.take(started);
        if (turn !== undefined) {
          await turn;
          signal?.throwIfAborted();
        }
        deps.onInline?.(ticket, tool.slug, turn === undefined ? started : undefined);
        try {
          answer = await execute(tool, call, context);
        } catch (error) {
          if (!(error instanceof TooMuchInline)) throw error;
          isolated = true;
        }
      }
      answer ??= await isolate(toCall(call), signal, ticket.principal, tool.isolate || "thread");
      tell("ok", answer.body.length);
      return answer;
    } catch (error) {
      if (error instanceof ToolError) tell(error.code, 0);
      else if (signal?.aborted === true) tell("cancelled", 0);
      else tell("internal", 0, error);
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
    const started = monotonic();
    const tell = (outcome: RunResult["outcome"], outputBytes: number): void =>
      // A bug was told by the step that has it.
      observe({
        slug,
        principal,
        outcome,
        duration: monotonic() - started,
        inputBytes,
        outputBytes,
        isolated: false,
        composed: true,
      });
    try {
      const answer = await pipelines.runNamed(pipeline, call, toPipelineDeps(ticket, signal), signal);
      tell("ok", answer.body.length);
      return answer;
    } catch (error) {
      tell(error instanceof ToolError ? error.code : signal?.aborted === true ? "cancelled" : "internal", 0);
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
    // In its place, because whoever answers holds the same object.
    if (quota !== undefined) Object.assign(quota, more.quota);
    return Array.from({ length: count }, (): OpenTicket => ({ ...ticket, [open]: true }));
  }

  const toPipelineDeps = (ticket: Ticket, signal: AbortSignal | undefined): PipelineDeps => ({
    catalog,
    inlineLimit: inlineLimit(),
    maxDocumentBytes: deps.maxDocumentBytes ?? 134_217_728,
    run,
    isolate: (call) => isolate(call, signal, ticket.principal, "thread"),
    // The ticket stood for the first of them, and is spent.
    admitSteps: async (count) => [
      { ...ticket, [open]: true } as OpenTicket,
      ...(await admitMore(ticket, count - 1)),
    ],
  });

  return { admit, admitMore, run, inlineLimit, runPipeline };
}

function spend(ticket: OpenTicket): void {
  if (ticket[open] !== true) throw new Error("A run needs a ticket of its own");
  ticket[open] = false;
}

/** The part of a call that can be sent to a worker. */
const toCall = ({ tool: { slug }, body, form, check }: ToolCall): Call => ({ slug, body, form, check });

const isPipeline = (tool: CatalogTool): tool is CatalogTool & { steps: readonly Step[] } =>
  tool.steps !== undefined;
