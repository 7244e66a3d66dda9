import { toJson } from "../../json.ts";
import { toRuleId } from "../../../../checks/rule-id.ts";
import { toSeverityWord } from "../../../../checks/severity.ts";
import { type Reporter, type ReporterDeps, toReportPath } from "./reporter.ts";
import { createSourceRoot } from "./source-root.ts";

/**
 * The Diagnostic Format of reviewdog. Its columns count the bytes of UTF-8. There are no suggestions: a suggestion replaces
 * lines, and the fix of a formatter is the whole file, which `penknife check --fix` writes.
 */
export function createRdjsonReporter({ host, print }: ReporterDeps): Reporter {
  const root = createSourceRoot(host);
  const diagnostics: object[] = [];
  return {
    async add({ tool, name, errors }) {
      const path = toReportPath(root, name);
      for (const finding of errors) {
        const { line, byteColumn, message, rule } = finding;
        const start = { line, ...(byteColumn !== undefined && { column: byteColumn }) };
        diagnostics.push({
          message: message.toWellFormed(),
          location: { path, ...(line !== undefined && { range: { start } }) },
          severity: toSeverityWord("rdjson", finding),
          source: { name: tool?.slug ?? "penknife" },
          code: { value: toRuleId(tool, rule) },
        });
      }
    },
    end: () => print(toJson({ source: { name: "penknife" }, diagnostics })),
  };
}
