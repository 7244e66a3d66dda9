import type { Catalog } from "../../catalog/catalog.ts";
import { ToolError } from "../../catalog/errors.ts";
import { type Step, takesDocument } from "../../catalog/pipeline.ts";
import { stepOf } from "../../catalog/step-error.ts";
import type { Tool } from "../../catalog/tool.ts";
import { reportDocumentError } from "./document-error.ts";
import type { LoadedSettings } from "../../config.ts";
import type { Host } from "./host.ts";
import { createLocalRunner, refuseDisabled } from "./local-runner.ts";
import { limitOf, type NamedDocument, readInput } from "./read-document.ts";
import { refuseIdleReportOnly, type RunLine, toStatus } from "./run-line.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";
import { toTarget, writeResult } from "./write-result.ts";

const nothing: NamedDocument = { name: "", bytes: new Uint8Array() };

/** Runs a pipeline on a file or standard input. Returns the exit status. */
export async function runSteps(
  steps: readonly Step[],
  { first, last }: { first: Tool; last: Pick<Tool, "slug" | "exact" | "check"> },
  line: RunLine,
  settings: LoadedSettings,
  catalog: Catalog,
  host: Host,
): Promise<number> {
  for (const { tool } of steps) refuseDisabled(tool, settings);
  refuseIdleReportOnly(line, last);
  const source = line.text === undefined ? line.file : "--text";
  if (!takesDocument(first) && source !== undefined)
    throw usageError(`${first.slug}, the first step, takes no document; leave out ${visible(source)}.`);
  const document = takesDocument(first) ? await readInput(line, host, limitOf(first)) : undefined;
  let shown = document ?? nothing;
  const runner = createLocalRunner(host, { catalog, settings, workers: 1, inlineBytes: Infinity });
  try {
    const answer = await runner.runPipeline({
      // The worker takes ownership of the bytes, and an error message shows some of them, so they are copied.
      source: { kind: "steps", steps, document: document && new Uint8Array(document.bytes) },
      form: "bytes",
      check: line.check === true,
      watch(given, index) {
        if (index === 0 || given === undefined) return;
        const name = `step ${index + 1} (${steps[index]?.tool})`;
        shown = { name, bytes: typeof given === "string" ? Buffer.from(given) : new Uint8Array(given) };
      },
    });
    await writeResult(answer.body, toTarget(line, last.exact && line.check !== true, host), host);
    return toStatus(answer, line);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return await reportDocumentError(withStep(error, steps), shown, host);
  } finally {
    await runner.close();
  }
}

/** Adds the step to the message of a fault in the caller's own file; later documents are named after their step. */
function withStep(error: ToolError, steps: readonly Step[]): ToolError {
  if (stepOf(error) !== 0) return error;
  const errors = error.details.errors?.map((place) => ({
    ...place,
    message: `Step 1 (${steps[0]?.tool}): ${place.message}`,
  }));
  return new ToolError(error.code, error.message, { ...error.details, ...(errors && { errors }) });
}
