import { ToolError } from "../../catalog/errors.ts";
import type { Host } from "./host.ts";
import { quote } from "./quote.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

export interface NamedDocument {
  /** As messages call it. */
  name: string;
  bytes: Uint8Array;
}

/**
 * A document from a file, or from standard input for `-` and for nothing.
 * @throws ToolError invalid_input where the file cannot be read.
 */
export async function readDocument(file: string | undefined, host: Host): Promise<NamedDocument> {
  if (file === undefined || file === "-") {
    // Without a word this would look like a command that hangs.
    if (host.stdin.isTTY)
      await host.stderr.write("penknife: reading from the terminal; Ctrl-D ends the document\n");
    return { name: "<stdin>", bytes: await host.stdin.readAll() };
  }
  try {
    return { name: file, bytes: await host.files.readBytes(file) };
  } catch (error) {
    throw unreadable(visible(file), error);
  }
}

/** The machine failed, and the call may be fine: exit status 3. */
export class MachineError extends Error {}

/** Why a file cannot be read: the fault of the line that names it, or of the machine. */
export function unreadable(shown: string, error: unknown): ToolError | MachineError {
  const message = `${shown} cannot be read: ${reasonOf(error)}`;
  return isOfTheCall(error) ? usageError(message) : new MachineError(message);
}

/** The document of `run`: a word that is no file may be the text itself, so that the refusal says how to pass text. */
export async function readInput(file: string | undefined, host: Host): Promise<NamedDocument> {
  const missing = file !== undefined && file !== "-" && host.files.stat(file) === undefined;
  try {
    return await readDocument(file, host);
  } catch (error) {
    const piped = missing ? toPipedLine(file, host.line ?? []) : undefined;
    if (piped === undefined || !(error instanceof ToolError)) throw error;
    throw usageError(`${error.message}. To pass it as text: ${piped}`);
  }
}

/** The line that runs the same on standard input. Undefined where no shell could be given it. */
function toPipedLine(text: string, line: readonly string[]): string | undefined {
  const at = line.lastIndexOf(text);
  const words = ["penknife", ...line.slice(0, at), ...line.slice(at + 1)].filter((word) => word !== "--");
  if (at === -1 || [text, ...words].some((word) => visible(word) !== word)) return undefined;
  return `printf %s ${quote(text)} | ${words.map(quote).join(" ")}`;
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ERR_FS_FILE_TOO_LARGE: "it is larger than 2 GiB",
  ERR_INVALID_ARG_VALUE: "its name holds a NUL character",
  // From here on the machine is to blame.
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EIO: "the disk reported an input/output error",
  EMFILE: "this process has too many files open (ulimit -n)",
  ENFILE: "the machine has too many files open",
};

const machineCodes = Object.keys(reasons).slice(Object.keys(reasons).indexOf("EROFS"));

/** What the operating system said, in words. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

const isOfTheCall = (error: unknown): boolean => {
  const code = codeOf(error);
  return Object.hasOwn(reasons, code) && !machineCodes.includes(code);
};
