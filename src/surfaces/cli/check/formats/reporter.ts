import type { CatalogTool } from "../../../../catalog/catalog.ts";
import type { Host } from "../../host.ts";
import type { CheckedFile } from "../../../../checks/verdict.ts";
import type { LeftOut } from "../../../../checks/left-out.ts";

/** Writes the verdicts of one check to standard output, in one format. */
export interface Reporter {
  /** Adds the next verdict, in the order of the names. */
  add(file: CheckedFile): Promise<void>;
  /** Finishes the output. `status` is the exit status. */
  end(status: number, leftOut: readonly LeftOut[]): Promise<void>;
}

export interface ReporterDeps {
  /** The version of this program. */
  version: string;
  host: Host;
  /** Writes to standard output. */
  print(text: string): Promise<void>;
}

/** The display name of a file. */
export const toShownName = (name: string): string => (name === "-" ? "<stdin>" : name);

/** Qualifies a rule with its tool, because two tools may have rules of the same name. */
export function toRuleId(tool: CatalogTool | undefined, rule: string): string {
  const slug = tool?.slug ?? "penknife";
  return rule === slug ? slug : `${slug}/${rule}`;
}
