import { describeError, errorCodes, ToolError } from "../../catalog/errors.ts";
import { StoreError } from "../../storage/errors.ts";
import type { Host } from "./host.ts";
import { reasonOf } from "../../lib/system-error.ts";
import { MachineError } from "./machine-error.ts";
import { RemoteError } from "./remote-error.ts";
import { createStyle } from "./style.ts";
import { visibleLines } from "./visible.ts";

/** Reports an error on standard error. Returns the exit status. */
export async function reportError(error: unknown, host: Host): Promise<number> {
  // The reader closed the pipe (`penknife tools | head -1`), which is not an error.
  if (isBrokenPipe(error)) return 0;
  try {
    await host.stderr.write(`${toSentence(error, host)}\n`);
  } catch {
    // Standard error is closed: the exit status still reports the error.
  }
  return toExitStatus(error);
}

function toExitStatus(error: unknown): number {
  return error instanceof ToolError ? errorCodes[error.code].exit : 3;
}

function toSentence(error: unknown, host: Host): string {
  const style = createStyle(host.stderr, host.env);
  const prefix = style.red("penknife:");
  if (error instanceof ToolError) return `${prefix} ${visibleLines(describeError(error))}`;
  if (error instanceof StoreError || error instanceof RemoteError || error instanceof MachineError)
    return `${prefix} ${visibleLines(error.message)}`;
  const debug = (host.env.PENKNIFE_DEBUG ?? "") !== "";
  const what = error instanceof Error ? error.message : String(error);
  const machine = findSystemError(error);
  if (machine !== undefined) return `${prefix} ${visibleLines(describe(machine))}`;
  const hint = debug && error instanceof Error ? `\n${error.stack}` : " (set PENKNIFE_DEBUG=1 for the stack)";
  return `${prefix} internal error, a bug in penknife: ${visibleLines(what)}${hint}`;
}

export const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EPIPE";

type SystemError = Error & Partial<Record<"code" | "syscall" | "path", unknown>>;

/** Finds the operating system error that caused an error, which is then not a bug in penknife. */
function findSystemError(error: unknown): SystemError | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("syscall" in error || ("code" in error && String(error.code).startsWith("ERR_WORKER_"))) return error;
  return findSystemError(error.cause);
}

function describe(error: SystemError): string {
  const { code = "", syscall, path } = error;
  const reason = reasonOf(error);
  // Our own sentences lack the error code, so it is added.
  const detail = reason === error.message ? "" : ` (${[code, syscall].filter(Boolean).join(", ")})`;
  if (typeof path === "string") return `${path}: ${reason}${detail}`;
  return `${syscall === "write" ? "The output cannot be written: " : "The operating system reported: "}${reason}${detail}`;
}
