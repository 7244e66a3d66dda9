import { toJson } from "../json.ts";
import type { CheckedFile } from "./check-files.ts";
import { type Reporter, type ReporterDeps, toShownName } from "./reporter.ts";

/** One list of all files, the good ones too: `{"items": [{file, valid, errors}]}`. */
export function createJsonReporter({ print }: ReporterDeps): Reporter {
  const items: ({ file: string } & Omit<CheckedFile, "name">)[] = [];
  return {
    async add({ name, ...verdict }) {
      items.push({ file: toShownName(name), ...verdict });
    },
    end: () => print(toJson({ items })),
  };
}
