import { lazy } from "../../lib/lazy.ts";
import type { Answer, ToolCall } from "../../catalog/execute.ts";
import { createRunner, type Runner } from "../../catalog/run.ts";
import type { PipelineCall } from "../../catalog/run-pipeline.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { LoadedSettings } from "../../config.ts";
import type { Host } from "./host.ts";
import { usageError } from "./usage-error.ts";

export interface LocalRunner {
  /** The same runner for callers that stop calls and hold tickets of their own. */
  readonly runner: Runner;
  /** @throws ToolError */
  run(call: ToolCall): Promise<Answer>;
  /** @throws ToolError with the step in its message and pointers. */
  runPipeline(call: PipelineCall): Promise<Answer>;
  close(): Promise<void>;
}

export interface LocalOptions {
  catalog: Catalog;
  settings: LoadedSettings;
  /** Most workers; each is started on first use. */
  workers: number;
  /** Larger documents, in bytes, run in a worker whatever the tool. */
  inlineBytes: number;
  /** Override the limits of the configuration. */
  limits?: { deadlineMs: number; memoryMb: number };
}

/**
 * Milliseconds that one call may run unless the configuration says otherwise. More than a server allows: a command has
 * no other callers, and a busy CI machine may take seconds to load a tool.
 */
const defaultDeadlineMs = 30_000;

/** Runs tools without a server, key, store or quota. */
export function createLocalRunner(host: Host, options: LocalOptions): LocalRunner {
  const { config, origins } = options.settings;
  const { tools } = config;
  const deadlineMs = origins.get("tools.deadlineMs") === "default" ? defaultDeadlineMs : tools.deadlineMs;
  const pool = lazy(async () =>
    host.program.createPool({
      workers: options.workers,
      deadlineMs,
      memoryMb: tools.memoryMb,
      ...options.limits,
      runtime: host.runtime,
    }),
  );
  const runner = createRunner({
    catalog: options.catalog,
    admit: async (principal) => ({ principal }),
    isolate: async (call, signal, _principal, place) => (await pool()).run(call, place, signal),
    context: { now: host.runtime.now, random: host.runtime.random, maxResultBytes: Infinity },
    inlineBytes: options.inlineBytes,
    runtime: host.runtime,
    observe: () => undefined,
  });
  return {
    runner,
    run: async (call) => runner.run(call, await runner.admit({ kind: "local" })),
    runPipeline: async (call) => runner.runPipeline(call, await runner.admit({ kind: "local" })),
    close: async () => (await pool.made())?.close(),
  };
}

/** @throws ToolError if the configuration disables the tool. */
export function refuseDisabled(slug: string, { config, origins }: LoadedSettings): void {
  if (!config.tools.disabled.includes(slug)) return;
  throw usageError(`${slug} is switched off by tools.disabled (${origins.get("tools.disabled")}).`);
}
