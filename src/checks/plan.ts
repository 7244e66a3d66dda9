import type { Check, FileToCheck } from "./check-files.ts";
import type { ChecksEntry, ChecksFile } from "./checks-file.ts";
import type { LeftOutCount } from "./left-out.ts";
import type { FileSource, SizeLimit } from "./source.ts";
import { maxBytesOf } from "../catalog/tool.ts";
import { createFilters } from "./path-filter.ts";

export interface PlanOptions {
  file: ChecksFile;
  /** The entries of the file to run. */
  entries: readonly ChecksEntry[];
  source: FileSource;
  /** Converts a path of the source to the name for reports. */
  toName(path: string): string;
  leftOut: LeftOutCount;
  /** Whether files were named one by one, so that one without a check is counted. */
  named: boolean;
}

export interface Plan {
  files: FileToCheck[];
  /** Entries that are for no file. */
  idle: ChecksEntry[];
}

/** Assigns the checks to the files: each file once, in the order of the source, with its checks in the order of the list. */
export function planChecks({ file, entries, source, toName, leftOut, named }: PlanOptions): Plan {
  const files: FileToCheck[] = [];
  const idle = new Set(entries);
  const selecting = createFilters(entries.map(({ patterns }) => patterns));
  // Most files share one of a few lists.
  const limits = new Map<string, { checks: readonly Check[]; limit: SizeLimit }>();
  for (const path of source.paths) {
    const ignored = source.ignored.has(path);
    const selected = file.excludes(path)
      ? []
      : selecting(path)
          .map((index) => entries[index] as ChecksEntry)
          .filter((entry) => !ignored || entry.includeIgnored);
    if (selected.length === 0) {
      if (ignored) leftOut.add("ignored", path);
      else if (named) leftOut.add("no-check", path);
      continue;
    }
    for (const entry of selected) idle.delete(entry);
    const key = selected.map(({ pointer }) => pointer).join();
    const shared = limits.get(key) ?? { checks: selected, limit: limitOf(selected) };
    limits.set(key, shared);
    files.push(toFile(source, path, toName(path), shared));
  }
  return { files, idle: [...idle] };
}

/** Makes the file of a source that checks read. */
export function toFile(
  source: FileSource,
  path: string,
  name: string,
  { checks, limit }: { checks: readonly Check[]; limit: SizeLimit },
): FileToCheck {
  const { before } = source;
  return {
    name,
    checks,
    read: () => source.read(path, limit),
    ...(before && { before: () => before(path, limit) }),
  };
}

/** The largest limit of the tools of some checks, and the tool that has it. */
export function limitOf(checks: readonly Check[]): SizeLimit {
  const limits = checks.map(({ tool }): SizeLimit => ({ bytes: maxBytesOf(tool), slug: tool.slug }));
  return limits.reduce((max, one) => (one.bytes > max.bytes ? one : max));
}
