import type { Host } from "./host.ts";
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
