import { ToolError } from "../../catalog/errors.ts";
import { maxDocument, maxBytesOf, type Tool } from "../../catalog/tool.ts";
import { quote } from "../../lib/shell-words.ts";
import { sizeText, tooLargeText } from "../../lib/size-text.ts";
import type { Host } from "./host.ts";
import { unreadable } from "./machine-error.ts";
import { TooManyBytesError } from "./read-bytes.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

export interface NamedDocument {
  /** The name in messages. */
  name: string;
  bytes: Uint8Array;
}

/**
 * Reads a document from a file, or from standard input for `-` and undefined.
 * @param limit The limit in bytes, and the tool that has it; by default the largest limit of any tool.
 * @throws ToolError invalid_input if the file cannot be read, or is too large.
 */
export async function readDocument(
  file: string | undefined,
  host: Host,
  limit: DocumentLimit = { bytes: maxDocument },
): Promise<NamedDocument> {
  if (file === undefined || file === "-") {
    // Without a message the command would seem to hang.
    if (host.stdin.isTTY)
      await host.stderr.write("penknife: reading from the terminal; press Ctrl-D to end the document\n");
    try {
      return { name: "<stdin>", bytes: await host.stdin.readAll(limit.bytes) };
    } catch (error) {
      if (error instanceof TooManyBytesError) return refuseSize("<stdin>", limit, error);
      throw unreadable("Standard input", error);
    }
  }
  try {
    return { name: file, bytes: await host.files.readBytes(file, limit.bytes) };
  } catch (error) {
    if (error instanceof TooManyBytesError) return refuseSize(visible(file), limit, error);
    throw unreadable(file, error);
  }
}

export interface DocumentLimit {
  bytes: number;
  /** The tool that has this limit. */
  slug?: string;
}

export const limitOf = (tool: Tool): DocumentLimit => ({ bytes: maxBytesOf(tool), slug: tool.slug });

function refuseSize(
  shown: string,
  { bytes, slug = "a tool" }: DocumentLimit,
  error: TooManyBytesError,
): never {
  const size = error.size === undefined ? `more than ${sizeText(bytes)}` : sizeText(error.size);
  throw usageError(tooLargeText(shown, size, bytes, slug));
}

/**
 * Reads the document of `run`. If there is no such file, the argument may be the text itself, so the error message says
 * how to pass text. With text, standard input is left alone: in a loop over lines it belongs to the loop.
 */
export async function readInput(
  { file, text, second }: { file?: string; text?: string; second?: string },
  host: Host,
  limit: DocumentLimit,
): Promise<NamedDocument> {
  if (text !== undefined) return toDocument(text, limit);
  const missing = file !== undefined && file !== "-" && host.files.stat(file) === undefined;
  try {
    return await readDocument(file, host, limit);
  } catch (error) {
    const line = missing && second === undefined ? toTextLine(file, host.line ?? []) : undefined;
    if (line === undefined || !(error instanceof ToolError)) throw error;
    throw usageError(`${error.message}. To pass it as text: ${line}`);
  }
}

function toDocument(text: string, limit: DocumentLimit): NamedDocument {
  // Arguments are decoded as UTF-8 with this character in place of other bytes: their digest would be a wrong one.
  if (!text.isWellFormed() || text.includes("\ufffd"))
    throw usageError(
      "--text contains U+FFFD, which stands for bytes that are not UTF-8; give the document as a file or on standard input.",
    );
  const bytes = Buffer.from(text);
  if (bytes.length > limit.bytes) return refuseSize("--text", limit, new TooManyBytesError(bytes.length));
  return { name: "--text", bytes };
}

/** Returns the command line that passes the text with --text; undefined if a word is not printable. */
function toTextLine(text: string, line: readonly string[]): string | undefined {
  const at = line.lastIndexOf(text);
  const words = ["penknife", ...line.slice(0, at), ...line.slice(at + 1)].filter((word) => word !== "--");
  if (at === -1 || [text, ...words].some((word) => visible(word) !== word)) return undefined;
  return `${words.map(quote).join(" ")} --text${text.startsWith("-") ? "=" : " "}${quote(text)}`;
}
