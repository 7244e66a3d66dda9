import type { CatalogTool } from "../../../../catalog/catalog.ts";
import { toSeverityWord } from "../../../../checks/severity.ts";
import type { CheckedFile, FileFinding, SuppressedFinding } from "../../../../checks/verdict.ts";
import { toJson } from "../../json.ts";
import type { Reporter, ReporterDeps } from "./reporter.ts";
import { createLocator } from "./sarif-location.ts";
import { createDescriptors } from "./sarif-rules.ts";
import { toText } from "../tally.ts";
import { createSourceRoot } from "./source-root.ts";

/**
 * One run in the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS), with the extra properties that GitHub
 * code scanning requires. Output is reproducible: it has no times or identifiers, and no command line, which may contain
 * secrets. `upload-sarif` adds fingerprints.
 */
export function createSarifReporter({ version, host, print }: ReporterDeps): Reporter {
  const root = createSourceRoot(host);
  const locator = createLocator(root);
  const rules = createDescriptors();
  const kinds = createDescriptors();
  const results: { result: object; suppressions: object[] }[] = [];
  const notifications: object[] = [];
  const tools = new Set<CatalogTool>();

  const toMessage = ({ name }: CheckedFile, finding: FileFinding): object => ({
    level: toSeverityWord("sarif", finding),
    message: { text: toMessageText(finding.message) },
    locations: [locator.toLocation(name, finding)],
  });
  const addResult = (file: CheckedFile, finding: FileFinding, suppressions: object[]): void => {
    const { id, index } = rules.refer(file.tool, finding.rule);
    results.push({ result: { ruleId: id, ruleIndex: index, ...toMessage(file, finding) }, suppressions });
  };

  return {
    async add(file) {
      const { tool, errors, suppressed = [], failed, unread } = file;
      if (tool !== undefined) tools.add(tool);
      for (const finding of errors) {
        // A document that was not checked concerns the run (§3.20.21), not the sources.
        if (failed === true || unread === true)
          notifications.push({ descriptor: kinds.refer(tool, finding.rule), ...toMessage(file, finding) });
        else addResult(file, finding, []);
      }
      for (const finding of suppressed) addResult(file, finding, [toSuppression(finding)]);
    },
    end({ status, leftOut }) {
      const failures = notifications.length;
      const [only] = tools.size === 1 ? tools : [];
      for (const one of leftOut) {
        const message = { text: `Left out: ${toText(one)}.` };
        notifications.push({ descriptor: kinds.refer(only, "left-out"), level: "note", message });
      }
      const suppresses = results.some(({ suppressions }) => suppressions.length > 0);
      return print(
        toJson({
          $schema: "https://json.schemastore.org/sarif-2.1.0.json",
          version: "2.1.0",
          runs: [
            {
              tool: {
                driver: {
                  name: "penknife",
                  version,
                  semanticVersion: version,
                  rules: rules.list,
                  ...(kinds.list.length > 0 && { notifications: kinds.list }),
                },
              },
              invocations: [
                {
                  executionSuccessful: failures === 0,
                  exitCode: status,
                  ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
                },
              ],
              originalUriBaseIds: locator.bases,
              columnKind: "unicodeCodePoints",
              // Either all results say whether they are suppressed, or none (§3.27.23).
              results: results.map(({ result, suppressions }) =>
                suppresses ? { ...result, suppressions } : result,
              ),
            },
          ],
        }),
      );
    },
  };
}

/** A `suppression` object (§3.35). */
const toSuppression = ({ by, reason }: SuppressedFinding): object =>
  by === "comment" ? { kind: "inSource", justification: reason } : { kind: "external" };

/**
 * A message may quote a document, where `[text](target)` would become a link (§3.11.6). Braces are not doubled, although
 * §3.11.5 asks for it: without arguments, code scanning and editors replace nothing and would show "expected '}}'".
 */
const toMessageText = (text: string): string => text.replaceAll("](", String.raw`\](`);
