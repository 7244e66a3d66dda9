import { toJson } from "../json.ts";
import type { Reporter, ReporterDeps } from "./reporter.ts";
import { createLocator } from "./sarif-location.ts";
import { createDescriptors } from "./sarif-rules.ts";
import { toText } from "./tally.ts";
import { createSourceRoot } from "./source-root.ts";

/**
 * One run in the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS), with what GitHub's code scanning
 * asks for besides. The same files give the same document: no times, no identifiers, and of the command line nothing,
 * since an option may be a secret. Fingerprints are left to who has the sources at hand; `upload-sarif` adds them.
 */
export function createSarifReporter({ tool, version, host, print }: ReporterDeps): Reporter {
  const root = createSourceRoot(host);
  const locator = createLocator(root);
  const rules = createDescriptors(tool);
  const kinds = createDescriptors(tool);
  const results: object[] = [];
  const notifications: object[] = [];

  return {
    async add({ name, errors, failed, unread }) {
      for (const finding of errors) {
        const message = { text: toMessageText(finding.message) };
        const locations = [locator.toLocation(name, finding)];
        if (failed === true || unread === true) {
          // Nothing is known of the document: this is told of the run (§3.20.21), not of the sources.
          const descriptor = kinds.refer(finding.rule);
          notifications.push({ descriptor, level: finding.severity, message, locations });
        } else {
          const { id, index } = rules.refer(finding.rule);
          results.push({ ruleId: id, ruleIndex: index, level: finding.severity, message, locations });
        }
      }
    },
    end: (status, leftOut) => {
      const failures = notifications.length;
      for (const one of leftOut) {
        const message = { text: `Left out: ${toText(one)}.` };
        notifications.push({ descriptor: kinds.refer("left-out"), level: "note", message });
      }
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
              results,
            },
          ],
        }),
      );
    },
  };
}

/**
 * A message quotes documents, and `[text](target)` in one would be a link (§3.11.6). Braces stay as they are:
 * §3.11.5 has them doubled beside placeholders, but code scanning and editors, which replace none where there are no
 * arguments, would show "expected '}}'".
 */
const toMessageText = (text: string): string => text.replaceAll("](", String.raw`\](`);
