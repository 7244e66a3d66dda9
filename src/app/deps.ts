import type { PipelineFolder } from "../catalog/pipelines.ts";
import type { Runtime } from "../runtime.ts";
import type { Installation } from "../surfaces/graphql/deps.ts";

/** The parts of the process that a server uses. */
export interface AppDeps {
  runtime: Runtime;
  pid: number;
  uid?: number;
  processors: number;
  /** Returns free memory to the system from now on, where the C library retains it; returns a function that stops it. */
  startTrimming?(): Promise<(() => void) | undefined>;
  /** Milliseconds of processor time used by this process. */
  cpu(): number;
  /** This node, for its operator. */
  installation: Omit<Installation, "nodes">;
  /** The pipelines of this installation, if there are any. */
  pipelines?: PipelineFolder;
  /** Writes whole lines of the log; a returned promise applies back-pressure. */
  writeLog(lines: string): void | Promise<unknown>;
  /** Whether the log goes to a terminal. */
  logIsTTY: boolean;
}
