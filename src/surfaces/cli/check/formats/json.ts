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
        errors: errors.map(toShown),
        ...(suppressed && { suppressed: suppressed.map(toShown) }),
      });
    },
    end: ({ leftOut, stale }) => print(toJson({ items, leftOut, ...(stale && { stale }) })),
  };
}

/** Without what other formats need. */
const toShown = (finding: FileFinding): object => ({
  ...finding,
  fingerprint: undefined,
  byteColumn: undefined,
});
