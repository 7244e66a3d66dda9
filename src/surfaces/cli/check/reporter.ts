import type { CatalogTool } from "../../../catalog/catalog.ts";
import type { Host } from "../host.ts";
import type { CheckedFile } from "./check-files.ts";
import type { LeftOut } from "./expand-patterns.ts";

/** Puts the verdicts of one check on standard output, in one format. */
export interface Reporter {
  /** The next verdict; they come in the order of the names. */
  add(file: CheckedFile): Promise<void>;
  /** There are no more. `status` is what the exit status will be. */
  end(status: number, leftOut: readonly LeftOut[]): Promise<void>;
}

export interface ReporterDeps {
  tool: CatalogTool;
  /** The version of this program. */
  version: string;
  host: Host;
  /** Writes to standard output. */
  print(text: string): Promise<void>;
}

/** A file as a person reads it. */
export const toShownName = (name: string): string => (name === "-" ? "<stdin>" : name);

/** A rule by a name that is the tool's own: two tools may have a rule of one name. */
export const toRuleId = (slug: string, rule: string): string => (rule === slug ? slug : `${slug}/${rule}`);
