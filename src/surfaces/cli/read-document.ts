import { ToolError } from "../../catalog/errors.ts";
import type { Host } from "./host.ts";
import { unreadable } from "./machine-error.ts";
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
    try {
      return { name: "<stdin>", bytes: await host.stdin.readAll() };
    } catch (error) {
      throw unreadable("Standard input", error);
    }
  }
  try {
    return { name: file, bytes: await host.files.readBytes(file) };
  } catch (error) {
    throw unreadable(file, error);
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
