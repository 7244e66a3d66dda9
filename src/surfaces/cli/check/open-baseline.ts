import { resolve } from "node:path";
import { type Baseline, createBaseline, type KnownFinding, readBaseline } from "../../../checks/baseline.ts";
import type { CommitFiles } from "../../../checks/commit-files.ts";
import type { Host } from "../host.ts";
import { unreadable } from "../machine-error.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { writeFile } from "../write-file.ts";
import type { SourceRoot } from "./formats/source-root.ts";
import type { ReportOptions } from "./report-options.ts";

export interface OpenBaseline extends Pick<Baseline, "apply"> {
  /** Writes the file if that is asked for. Returns the known findings that no longer occur and are still in it. */
  end(): Promise<readonly KnownFinding[]>;
}

/**
 * @param from The commit that has the file, instead of the work tree.
 * @throws ToolError if the file of --baseline is missing or malformed; GitError
 */
export async function openBaseline(
  { baseline: path, writeBaseline }: Pick<ReportOptions, "baseline" | "writeBaseline">,
  root: SourceRoot,
  host: Host,
  from?: CommitFiles,
): Promise<OpenBaseline | undefined> {
  if (path === undefined) return undefined;
  const { files } = host;
  const text =
    from === undefined ? readText(path, host) : await from.readText(resolve(files.cwd, path), visible(path));
  if (text === undefined && !writeBaseline)
    throw usageError(
      `${visible(path)} cannot be read: there is no such file. Make it with --write-baseline.`,
    );
  const { apply, end } = createBaseline(readBaseline(text ?? "", visible(path)), writeBaseline);
  return {
    apply,
    async end() {
      const ended = end((file) => files.stat(resolve(root.path, file)) !== undefined);
      if (!writeBaseline) return ended.stale;
      await writeFile({ path, content: [ended.text] }, host);
      return [];
    },
  };
}

function readText(path: string, { files }: Host): string | undefined {
  try {
    return files.readText(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** More than these are only counted. */
const maxNamed = 10;

/** Lines about known findings that no longer occur. */
export function toStaleLines(stale: readonly KnownFinding[]): string[] {
  const lines = stale
    .slice(0, maxNamed)
    .map(({ file, rule }) => `${visible(file)} no longer has a known finding of ${visible(rule)}.`);
  if (stale.length > maxNamed) lines.push(`${stale.length - maxNamed} more known findings no longer occur.`);
  if (lines.length > 0) lines.push("Remove them from the baseline with --write-baseline.");
  return lines;
}
