import { toJson } from "../json.ts";
import type { CheckedFile } from "./check-files.ts";
import { type Reporter, type ReporterDeps, toShownName } from "./reporter.ts";

/** Every file, valid ones included, and what was left out: `{"items": [{file, valid, errors}], "leftOut": [{reason, files}]}`. */
export function createJsonReporter({ print }: ReporterDeps): Reporter {
  const items: ({ file: string } & Omit<CheckedFile, "name">)[] = [];
  return {
    async add({ name, ...verdict }) {
      items.push({ file: toShownName(name), ...verdict });
    },
    end: (_, leftOut) => print(toJson({ items, leftOut })),
  };
}
