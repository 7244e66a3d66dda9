import { workerCommand as sourceCommand } from "../../src/lib/load.ts";
import { sandboxOptions, sandboxWord } from "../../src/lib/sandbox.ts";
import type { ProcessCommand } from "../../src/services/workers/process-link.ts";

/**
 * Returns how a test starts a worker process: the executable where TEST_EXECUTABLE names one, which starts with a
 * quarter of the CPU time, otherwise the source tree.
 */
export function workerCommand(memoryMb: number): ProcessCommand {
  const executable = process.env.TEST_EXECUTABLE;
  return executable === undefined
    ? sourceCommand(memoryMb)
    : { command: executable, args: [sandboxWord], env: { NODE_OPTIONS: sandboxOptions(memoryMb).join(" ") } };
}
