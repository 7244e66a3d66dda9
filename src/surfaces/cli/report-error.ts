import { errorCodes, ToolError } from "../../catalog/errors.ts";
import { StoreError } from "../../services/storage/errors.ts";
import type { Host } from "./host.ts";
import { RemoteError } from "./remote-error.ts";
import { createStyle } from "./style.ts";
import { visibleLines } from "./visible.ts";

/** Says on stderr what went wrong. Returns the exit status. */
export async function reportError(error: unknown, host: Host): Promise<number> {
  // Who reads our output has had enough (`penknife tools | head -1`): there is nobody to tell and nothing wrong.
  if (isBrokenPipe(error)) return 0;
  try {
    await host.stderr.write(`${toSentence(error, host)}\n`);
  } catch {
    // Without a standard error there is still the exit status.
  }
  return toExitStatus(error);
}

export function toExitStatus(error: unknown): number {
  return error instanceof ToolError ? errorCodes[error.code].exit : 3;
}

function toSentence(error: unknown, host: Host): string {
  const style = createStyle(host.stderr, host.env);
  const prefix = style.red("penknife:");
  if (error instanceof ToolError || error instanceof StoreError || error instanceof RemoteError)
    return `${prefix} ${visibleLines(error.message)}`;
  const debug = (host.env.PENKNIFE_DEBUG ?? "") !== "";
  const what = error instanceof Error ? error.message : String(error);
  if (isSystemError(error)) return `${prefix} ${visibleLines(what)}`;
  const hint = debug && error instanceof Error ? `\n${error.stack}` : " (PENKNIFE_DEBUG=1 shows where)";
  return `${prefix} this is a fault of penknife itself: ${visibleLines(what)}${hint}`;
}

export const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EPIPE";

/** The operating system refused something: no fault of ours, and its message says what. */
const isSystemError = (error: unknown): boolean => error instanceof Error && "syscall" in error;
