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
    throw usageError(`${visible(file)} cannot be read: ${reasonOf(error)}`);
  }
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

/** What the operating system said, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return "there is no such file";
    case "EISDIR":
      return "it is a folder";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "ERR_FS_FILE_TOO_LARGE":
      return "it is larger than 2 GiB";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
