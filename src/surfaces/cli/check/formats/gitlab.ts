import { toJson } from "../../json.ts";
import { visible } from "../../visible.ts";
import { toRuleId } from "../../../../checks/rule-id.ts";
import { toSeverityWord } from "../../../../checks/severity.ts";
import { type Reporter, type ReporterDeps, toReportPath } from "./reporter.ts";
import { createSourceRoot } from "./source-root.ts";

/**
 * A report of GitLab Code Quality, a subset of Code Climate's issues. GitLab compares the fingerprints of two branches, so
 * they depend on the text of a line and not on its number. It requires a line; a finding without a place is on line 1.
 */
export function createGitlabReporter({ host, print }: ReporterDeps): Reporter {
  const root = createSourceRoot(host);
  const issues: object[] = [];
  return {
    async add(file) {
      const { tool, name, errors } = file;
      const path = toReportPath(root, name);
      for (const finding of errors) {
        const { line = 1, message, rule, fingerprint } = finding;
        issues.push({
          // One line of text, according to the specification.
          description: visible(message),
          check_name: toRuleId(tool, rule),
          fingerprint,
          severity: toSeverityWord("gitlab", finding, file),
          location: { path, lines: { begin: line } },
        });
      }
    },
    end: () => print(toJson(issues)),
  };
}
