import { relative, resolve } from "node:path";
import { isFixer } from "../../../catalog/change.ts";
import type { CatalogTool } from "../../../catalog/catalog.ts";
import type { CheckHooks, CheckRunner } from "../../../checks/check-files.ts";
import { createDiffer, createFixer } from "../../../checks/fix/fixer.ts";
import { replaceFile } from "../../../checks/fix/replace-file.ts";
import { openStagedFixes } from "../../../checks/fix/staged-fix.ts";
import type { Repository } from "../../../checks/git/environment.ts";
import { findRoot } from "../../../checks/repository.ts";
import type { Host } from "../host.ts";
import { usageError } from "../usage-error.ts";
import type { ReportOptions } from "./report-options.ts";

export const fixArgs = {
  fix: {
    type: "boolean",
    description: "Write what the formatters among the tools would change, and report what is left",
  },
  diff: {
    type: "boolean",
    description: "Print what --fix would change, as a patch; exit status 1 if there is any",
  },
} as const;

export interface FixLine {
  fix?: boolean;
  diff?: boolean;
  lines?: boolean;
  json?: boolean;
  format?: string;
  _: string[];
}

/** The changes that a run makes besides checking. */
export interface FixMode {
  kind: "fix" | "diff";
  hooks(runner: CheckRunner): CheckHooks;
  /** Ends the work, when all files are checked. */
  finish(): Promise<void>;
}

/**
 * Validates --fix and --diff, before anything is read.
 * @throws ToolError if they contradict each other or the rest of the line.
 */
export function refuseFix(
  line: FixLine,
  { format }: Pick<ReportOptions, "format">,
  tool?: CatalogTool,
): void {
  if (line.fix !== true && line.diff !== true) return;
  if (line.fix === true && line.diff === true)
    throw usageError("Give --fix or --diff, not both: --diff prints what --fix writes.");
  const option = line.fix === true ? "--fix" : "--diff";
  if (line.lines === true)
    throw usageError(
      `--lines reports on a part of a file, and ${option} is about all of it. Leave out one of them.`,
    );
  if (tool !== undefined && !isFixer(tool))
    throw usageError(`${tool.slug} reports findings, and changes nothing. Leave out ${option}.`);
  if (line._.includes("-"))
    throw usageError(
      `${option} is for files. To format standard input: penknife run ${tool?.slug ?? "TOOL"} < FILE`,
    );
  if (line.diff === true && (line.json === true || line.format !== undefined || format !== "human"))
    throw usageError(
      "--diff prints a patch. Leave out --json and --format; --output FORMAT=FILE writes a report as well.",
    );
}

/**
 * @param staged The repository, if the checked files are those of its index.
 * @throws GitError if its index cannot be changed now.
 */
export async function openFixMode(
  line: FixLine,
  host: Host,
  staged?: Repository,
): Promise<FixMode | undefined> {
  const { files, runtime } = host;
  const { cwd } = files;
  if (line.diff === true) {
    const toPath = (name: string) => relative(cwd, resolve(cwd, name));
    return { kind: "diff", hooks: (runner) => createDiffer(runner, toPath), finish: async () => undefined };
  }
  if (line.fix !== true) return undefined;
  if (staged !== undefined) {
    const target = await openStagedFixes({ repository: staged, cwd, runtime });
    return { kind: "fix", hooks: (runner) => createFixer(runner, target), finish: target.finish };
  }
  const root = findRoot(cwd, files) ?? cwd;
  const target = {
    write: async ({ name }: { name: string }, before: Uint8Array, after: Uint8Array) =>
      replaceFile({ path: resolve(cwd, name), before, after, trees: [root], runtime }),
  };
  return { kind: "fix", hooks: (runner) => createFixer(runner, target), finish: async () => undefined };
}
