import type { CatalogTool } from "../../../catalog/catalog.ts";
import {
  describeError,
  type ErrorPlace,
  errorCodes,
  ToolError,
  toShownPlace,
} from "../../../catalog/errors.ts";
import type { Answer, ToolCall } from "../../../catalog/execute.ts";
import { stepOf } from "../../../catalog/step-error.ts";
import type { Host } from "../host.ts";
import { MachineError } from "../machine-error.ts";
import { limitOf, readDocument } from "../read-document.ts";
import { toFlag } from "../tool-options.ts";
import { usageError } from "../usage-error.ts";
import type { Unread } from "./expand-patterns.ts";

/** One finding, with its place if it has one. */
export interface FileFinding {
  message: string;
  severity: "error" | "warning";
  /** A rule of the tool, or an error code. */
  rule: string;
  line?: number;
  column?: number;
  offset?: number;
  pointer?: string;
}

/** The verdict of one tool on one file. */
export interface CheckedFile {
  /** Absent for an argument of the command line that concerns all tools of the check. */
  tool?: CatalogTool;
  /** As given on the command line; - is standard input. */
  name: string;
  valid: boolean;
  errors: readonly FileFinding[];
  /** The tool failed, for example at its deadline: whether the document is valid is unknown. */
  failed?: true;
  /** The file could not be read, or the argument matches none; with `failed`, because of the machine. */
  unread?: true;
}

export interface CheckFilesOptions {
  tool: CatalogTool;
  names: readonly string[];
  options: [string, string][];
  /** Files that are checked at once. */
  width: number;
  run(call: ToolCall): Promise<Answer>;
  host: Host;
}

/**
 * Checks files concurrently and yields their verdicts in the order of the names.
 * @throws ToolError if the call itself is invalid, which holds for every file.
 */
export async function* checkFiles(options: CheckFilesOptions): AsyncGenerator<CheckedFile> {
  const { names, width } = options;
  const running: Promise<CheckedFile>[] = [];
  let next = 0;
  while (next < names.length || running.length > 0) {
    while (running.length < width && next < names.length) {
      const one = checkFile(names[next++] ?? "", options);
      // A rejection is handled when its turn comes; until then it must not count as unhandled.
      one.catch(() => undefined);
      running.push(one);
    }
    const first = running.shift();
    if (first !== undefined) yield await first;
  }
}

async function checkFile(
  name: string,
  { tool, options, run, host }: CheckFilesOptions,
): Promise<CheckedFile> {
  let bytes: Uint8Array;
  try {
    ({ bytes } = await readDocument(name, host, limitOf(tool)));
  } catch (error) {
    if (!(error instanceof ToolError || error instanceof MachineError)) throw error;
    const unread = toUnread(tool, { name, message: error.message, rule: "unreadable" });
    return error instanceof MachineError ? { ...unread, failed: true } : unread;
  }
  try {
    const { report } = await run({
      tool,
      body: { kind: "raw", bytes, text: tool.runBytes === undefined, options },
      form: "report",
      check: true,
    });
    if (report === undefined) throw new Error("A check answered without a report");
    const { valid, errors } = report;
    const lastStep = (tool.steps?.length ?? 1) - 1;
    return { tool, name, valid, errors: errors.map((finding) => toOwnPlace(finding, tool, lastStep)) };
  } catch (error) {
    if (!(error instanceof ToolError) || errorCodes[error.code].exit === 2) throw error;
    const option = error.details.errors?.[0]?.field;
    if (option !== undefined && tool.steps === undefined) throw toOptionError(option, error);
    const failed = errorCodes[error.code].exit === 3;
    const errors = toFindings(error).map((finding) => toOwnPlace(finding, tool, stepOf(error) ?? 0));
    return { tool, name, valid: false, errors, ...(failed && { failed }) };
  }
}

/** Makes the entry for a file that could not be read. */
export const toUnread = (tool: CatalogTool, { name, message, rule }: Unread): CheckedFile => ({
  tool,
  name,
  valid: false,
  errors: [{ message, severity: "error", rule }],
  unread: true,
});

/** Moves the place of a finding of a later pipeline step into its message: its lines are not those of the file. */
function toOwnPlace(finding: FileFinding, { steps }: CatalogTool, step: number): FileFinding {
  if (steps === undefined || step === 0) return finding;
  const { message, severity, rule, line, column } = finding;
  const where = line === undefined ? "" : ` (line ${line}, column ${column} of its input)`;
  return { message: `Step ${step + 1} (${steps[step]?.tool}): ${message}${where}`, severity, rule };
}

/** A fault in a second document, such as a schema, concerns an option and not the file. */
const toOptionError = (field: string, { message, details }: ToolError): ToolError =>
  usageError(
    `--${toFlag(field)}: ${describeError(new ToolError("invalid_document", details.errors?.[0]?.message ?? message, details))}`,
  );

function toFindings(error: ToolError): FileFinding[] {
  const places: readonly ErrorPlace[] = error.details.errors ?? [{ message: error.message }];
  return places.map((place) =>
    Object.assign({ severity: "error" as const, rule: error.code }, toShownPlace(place)),
  );
}
