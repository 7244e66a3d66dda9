import type { CatalogTool } from "../../../../catalog/catalog.ts";
import { aliasesOf } from "../../../../checks/severity.ts";
import type { FileFinding } from "../../../../checks/verdict.ts";
import { toJson } from "../../json.ts";
import { type Reporter, type ReporterDeps, toShownName } from "./reporter.ts";

/** Every file, valid ones included, and what was left out: `{"items": [{file, tool, valid, errors}], "leftOut": [{reason, files}]}`. */
export function createJsonReporter({ print }: ReporterDeps): Reporter {
  const items: object[] = [];
  return {
    async add({ tool, name, errors, suppressed, ...verdict }) {
      items.push({
        file: toShownName(name),
        ...(tool && { tool: tool.slug }),
        ...verdict,
        errors: errors.map((finding) => toShown(finding, tool)),
        ...(suppressed && { suppressed: suppressed.map((finding) => toShown(finding, tool)) }),
      });
    },
    end: ({ leftOut, stale }) => print(toJson({ items, leftOut, ...(stale && { stale }) })),
  };
}

/** Without what other formats need. */
function toShown(finding: FileFinding, tool: CatalogTool | undefined): object {
  const aliases = aliasesOf(tool, finding.rule);
  return {
    ...finding,
    ...(aliases.length > 0 && { aliases }),
    fingerprint: undefined,
    byteColumn: undefined,
  };
}
