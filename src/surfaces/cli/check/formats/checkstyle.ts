import { toRuleId } from "../../../../checks/rule-id.ts";
import { toSeverityWord } from "../../../../checks/severity.ts";
import { type Reporter, type ReporterDeps, toReportPath } from "./reporter.ts";
import { createSourceRoot } from "./source-root.ts";
import { toAttributes } from "./xml-text.ts";

/**
 * The XML report of Checkstyle, which Jenkins (Warnings), reviewdog and many others read. Files without findings are not in
 * it. A finding without a place is on line 1, because readers require one.
 */
export function createCheckstyleReporter({ host, print }: ReporterDeps): Reporter {
  const root = createSourceRoot(host);
  const files = new Map<string, string[]>();
  return {
    async add({ tool, name, errors }) {
      if (errors.length === 0) return;
      const path = toReportPath(root, name);
      const lines = files.get(path) ?? [];
      files.set(path, lines);
      for (const finding of errors) {
        const { line = 1, column, message, rule } = finding;
        const severity = toSeverityWord("checkstyle", finding);
        // Readers expect the name of a Java class, and show its last part as the type.
        const source = `penknife.${toRuleId(tool, rule).replaceAll("/", ".")}`;
        lines.push(`    <error${toAttributes({ line, column, severity, message, source })}/>\n`);
      }
    },
    end() {
      const all = [...files].map(
        ([name, lines]) => `  <file${toAttributes({ name })}>\n${lines.join("")}  </file>\n`,
      );
      return print(
        `<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="4.3">\n${all.join("")}</checkstyle>\n`,
      );
    },
  };
}
