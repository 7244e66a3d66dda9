import { showFileName } from "../../../../lib/file-name.ts";
import type { Host } from "../../host.ts";
import type { SourceRoot } from "./source-root.ts";
import type { CheckedFile } from "../../../../checks/verdict.ts";
import type { KnownFinding } from "../../../../checks/baseline.ts";
import type { LeftOut } from "../../../../checks/left-out.ts";

/** The outcome of a check. */
export interface Outcome {
  /** The exit status. */
  status: number;
  leftOut: readonly LeftOut[];
  /** One line: `4 files checked, 2 findings in 2 files`. */
  summary: string;
  /** The commit that files were compared with. */
  against?: string;
  /** Findings of the baseline that no longer occur; undefined without a baseline. */
  stale?: readonly KnownFinding[];
}

/** Writes the verdicts of one check in one format. */
export interface Reporter {
  /** Adds the next verdict, in the order of the names. */
  add(file: CheckedFile): Promise<void>;
  /** Finishes the output. */
  end(outcome: Outcome): Promise<void>;
}

export interface ReporterDeps {
  /** The version of this program. */
  version: string;
  host: Host;
  /** Whether several tools may report, so that people need the name of the tool beside a rule. */
  several: boolean;
  /** Whether the output is a terminal. */
  isTTY: boolean;
  print(text: string): Promise<void>;
}

/** The display name of a file. */
export const toShownName = (name: string): string => (name === "-" ? "<stdin>" : name);

/** The name of a file in reports about a repository: relative to its root, and absolute outside of it. */
export function toReportPath(root: SourceRoot, name: string): string {
  if (name === "-") return toShownName(name);
  const { inside, absolute } = root.locate(name);
  const path = inside ?? absolute;
  // Readers of JSON and XML refuse the stand-ins of bytes that are not UTF-8.
  return path.isWellFormed() ? path : showFileName(path);
}
