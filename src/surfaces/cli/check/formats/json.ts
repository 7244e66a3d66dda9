import { toJson } from "../../json.ts";
import type { CheckedFile } from "../../../../checks/verdict.ts";
import { type Reporter, type ReporterDeps, toShownName } from "./reporter.ts";

/** Every file, valid ones included, and what was left out: `{"items": [{file, tool, valid, errors}], "leftOut": [{reason, files}]}`. */
export function createJsonReporter({ print }: ReporterDeps): Reporter {
  const items: ({ file: string; tool?: string } & Omit<CheckedFile, "name" | "tool">)[] = [];
  return {
    async add({ tool, name, ...verdict }) {
      items.push({ file: toShownName(name), ...(tool && { tool: tool.slug }), ...verdict });
    },
    end: (_, leftOut) => print(toJson({ items, leftOut })),
  };
}
