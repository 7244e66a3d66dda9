import { resolve } from "node:path";
import { LeftError } from "../../checks/fix/left-error.ts";
import type { Content } from "../../checks/fix/replace-file.ts";
import { findRoot } from "../../checks/repository.ts";
import type { Host } from "./host.ts";
import { unwritable } from "./machine-error.ts";

export interface FileToWrite {
  /** As the caller named it. */
  path: string;
  content: Content;
  /** The tree that the file belongs to, absolute; the current folder unless given. */
  tree?: string;
  /** Whether only the owner may read it. */
  secret?: boolean;
}

/**
 * Writes a file that the caller named, as a whole, and through no link out of the current folder: a folder from elsewhere may
 * have put one there. /dev/stdout, /dev/stderr and /dev/null are written to directly.
 * @throws ToolError or MachineError that names the file.
 */
export async function writeFile({ path, content, tree, secret }: FileToWrite, host: Host): Promise<void> {
  const { cwd } = host.files;
  const absolute = resolve(cwd, path);
  if (devices.has(absolute)) {
    const device = devices.get(absolute);
    for await (const piece of content instanceof Uint8Array ? [content] : content)
      if (device !== undefined) await host[device].write(piece);
    return;
  }
  const { replaceFile } = await import("../../checks/fix/replace-file.ts");
  try {
    await replaceFile({
      path: absolute,
      after: content,
      trees: toTrees(host, tree),
      ...(secret === true && { secret }),
      runtime: host.runtime,
    });
  } catch (error) {
    // The content may come from elsewhere, and have an error of its own.
    throw error instanceof LeftError || (error instanceof Error && "syscall" in error)
      ? unwritable(path, error)
      : error;
  }
}

/**
 * Reports at the beginning of a long command what `writeFile` would refuse at its end.
 * @throws ToolError or MachineError that names the file.
 */
export async function requireWritable(
  { path, tree }: Pick<FileToWrite, "path" | "tree">,
  host: Host,
): Promise<void> {
  const absolute = resolve(host.files.cwd, path);
  if (devices.has(absolute)) return;
  const { requireReplaceable } = await import("../../checks/fix/replace-file.ts");
  try {
    requireReplaceable(absolute, toTrees(host, tree));
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Opened anew, /dev/stdout would be cut and written from its beginning where it is a file. */
const devices: ReadonlyMap<string, "stdout" | "stderr" | undefined> = new Map([
  ["/dev/stdout", "stdout"],
  ["/dev/stderr", "stderr"],
  ["/dev/null", undefined],
] as const);

/** No link may lead out of the current folder, nor from the rest of its repository to the outside. */
const toTrees = ({ files }: Host, tree = files.cwd): [string, string] => [
  tree,
  findRoot(files.cwd, files) ?? tree,
];
