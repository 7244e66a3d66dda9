import { writeFile } from "../write-file.ts";
import { createReporter } from "./formats/format.ts";
import type { Reporter, ReporterDeps } from "./formats/reporter.ts";
import type { ReportOptions } from "./report-options.ts";

/**
 * Makes the reports of one check: one on standard output, and one for each file of `--output`. Files are written at the end, whatever
 * the findings; a check that ends with an error of its own writes none, because a part of a report looks like a clean one.
 * @param printed What standard output says instead of a format.
 */
export function createReports(
  { format, outputs }: Pick<ReportOptions, "format" | "outputs">,
  deps: Omit<ReporterDeps, "isTTY">,
  printed = createReporter(format, { ...deps, isTTY: deps.host.stdout.isTTY }),
): Reporter {
  const written = outputs.map((output) => {
    const pieces: string[] = [];
    const collect = async (text: string) => void pieces.push(text);
    const reporter = createReporter(output.format, { ...deps, isTTY: false, print: collect });
    return { path: output.path, pieces, reporter };
  });
  const all = [printed, ...written.map(({ reporter }) => reporter)];
  return {
    async add(file) {
      for (const reporter of all) await reporter.add(file);
    },
    async end(outcome) {
      for (const reporter of all) await reporter.end(outcome);
      for (const { path, pieces } of written) await writeFile({ path, content: pieces }, deps.host);
    },
  };
}
