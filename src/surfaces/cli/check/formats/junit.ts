import { toXmlText, toAttributes } from "./xml-text.ts";
import { toRuleId } from "../../../../checks/rule-id.ts";
import { type Reporter, type ReporterDeps, toReportPath } from "./reporter.ts";
import { createSourceRoot } from "./source-root.ts";
import { passes, toSeverityWord } from "../../../../checks/severity.ts";
import type { CheckedFile, FileFinding } from "../../../../checks/verdict.ts";

interface Suite {
  cases: string[];
  failures: number;
  errors: number;
}

/**
 * JUnit XML: a suite for each tool, a case for each file. A file with errors is a failure; one that could not be checked is
 * an error. Clean files are passing cases, and a run without files has one too: Jenkins refuses a report without cases. There
 * are no times, so the same files give the same bytes.
 */
export function createJunitReporter({ host, print }: ReporterDeps): Reporter {
  const root = createSourceRoot(host);
  const suites = new Map<string, Suite>();
  const suiteOf = (name: string): Suite => {
    const suite = suites.get(name) ?? { cases: [], failures: 0, errors: 0 };
    suites.set(name, suite);
    return suite;
  };
  return {
    async add(file) {
      const name = file.tool?.slug ?? "penknife";
      const suite = suiteOf(name);
      const outcome = outcomeOf(file);
      if (outcome === "error") suite.errors++;
      else if (outcome === "failure") suite.failures++;
      suite.cases.push(toCase(toReportPath(root, file.name), name, file, outcome));
    },
    end() {
      if (suites.size === 0) suiteOf("penknife").cases.push(toCase("no files", "penknife", {}, "passed"));
      const all = [...suites];
      const count = (number: (suite: Suite) => number): number =>
        all.reduce((sum, [, suite]) => sum + number(suite), 0);
      const attributes = toAttributes({
        name: "penknife check",
        tests: count(({ cases }) => cases.length),
        failures: count(({ failures }) => failures),
        errors: count(({ errors }) => errors),
      });
      return print(
        `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes}>\n${all.map(toSuite).join("")}</testsuites>\n`,
      );
    },
  };
}

type Outcome = "passed" | "failure" | "error";

const outcomeOf = ({ valid, failed, unread }: CheckedFile): Outcome =>
  failed === true || unread === true ? "error" : valid ? "passed" : "failure";

const toSuite = ([name, { cases, failures, errors }]: [string, Suite]): string =>
  `  <testsuite${toAttributes({ name, tests: cases.length, failures, errors })}>\n${cases.join("")}  </testsuite>\n`;

function toCase(
  path: string,
  suite: string,
  { tool, errors = [] }: Pick<CheckedFile, "tool"> & { errors?: readonly FileFinding[] },
  outcome: Outcome,
): string {
  const attributes = toAttributes({ name: path, classname: `penknife.${suite}` });
  if (errors.length === 0) return `    <testcase${attributes}/>\n`;
  const lines = errors.map((finding) => {
    const { line, column, message, rule } = finding;
    const place = [path, line, column].filter((part) => part !== undefined).join(":");
    return toXmlText(`${place}: ${toSeverityWord("human", finding)}${message} (${toRuleId(tool, rule)})`);
  });
  // Jenkins and GitLab read one failure of a case, so that one has all findings.
  const text = lines.join("\n");
  return `    <testcase${attributes}>\n      ${toResult(outcome, errors, text, tool)}\n    </testcase>\n`;
}

function toResult(
  outcome: Outcome,
  errors: readonly FileFinding[],
  text: string,
  tool: CheckedFile["tool"],
): string {
  // Warnings alone fail nothing.
  if (outcome === "passed") return `<system-out>${text}</system-out>`;
  const first = errors.find((finding) => !passes([finding])) ?? errors[0];
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const attributes = toAttributes({
    message: `${first?.message ?? ""}${more}`,
    type: toRuleId(tool, first?.rule ?? "penknife"),
  });
  return `<${outcome}${attributes}>${text}</${outcome}>`;
}
