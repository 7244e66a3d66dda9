import type { CatalogTool } from "../catalog/catalog.ts";

/** One finding, with its place if it has one. */
export interface FileFinding {
  message: string;
  severity: "error" | "warning";
  /** A rule of the tool, or an error code. */
  rule: string;
  line?: number;
  column?: number;
  offset?: number;
  pointer?: string;
  /** Identifies the finding, also after lines have shifted. See `finding-context.ts`. */
  fingerprint?: string;
  /** The column in bytes of UTF-8, from 1. */
  byteColumn?: number;
}

/** A finding that does not count, because a comment in the document ignores it or the baseline has it. */
export interface SuppressedFinding extends FileFinding {
  by: "comment" | "baseline";
  /** Given in the comment. */
  reason?: string;
}

/** The result of one tool for one file. A file that several tools check has one of these for each. */
export interface CheckedFile {
  /** As named on the command line, or relative to the current folder; - is standard input. See `lib/file-name.ts`. */
  name: string;
  /**
   * Undefined for an argument that selects no file, for a file that could not be read, and for findings of the check itself: about
   * comments that ignore findings.
   */
  tool?: CatalogTool;
  valid: boolean;
  /** Findings that count. */
  errors: readonly FileFinding[];
  suppressed?: readonly SuppressedFinding[];
  /** The tool failed, for example at its deadline: whether the document is valid is unknown. */
  failed?: true;
  /** The file could not be read, or the argument matches none; with `failed`, because of the machine. */
  unread?: true;
  /** How the file differs from the commit of `--against`; undefined where the check is about the file alone. */
  compared?: "same" | "changed" | "new" | "removed";
  /** The tool changed the file; the findings are those that are left. */
  fixed?: true;
  /** The number of findings that were left out because their lines have not changed. */
  unchanged?: number;
  /** The tool would change the file so that these findings are gone; in a run that only says so. */
  fixable?: true;
  /** The changes that all tools would make, as a patch; in the first verdict of the file that is fixable. */
  patch?: string;
}
