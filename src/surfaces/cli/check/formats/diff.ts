import { createHumanReporter } from "./human.ts";
import type { Reporter, ReporterDeps } from "./reporter.ts";

/** Patches on standard output, and on standard error what no patch would change. */
export function createDiffReporter(
  deps: Omit<ReporterDeps, "isTTY">,
  printNote: (text: string) => Promise<void>,
): Reporter {
  const notes = createHumanReporter({ ...deps, isTTY: deps.host.stderr.isTTY, print: printNote });
  return {
    async add({ patch, ...verdict }) {
      if (patch !== undefined) await deps.print(patch);
      if (verdict.fixable !== true) await notes.add(verdict);
    },
    end: notes.end,
  };
}
