import { visible } from "../../visible.ts";
import type { FileFinding } from "../../../../checks/verdict.ts";
import { toRuleId } from "../../../../checks/rule-id.ts";
import { toSeverityWord } from "../../../../checks/severity.ts";
import { type Reporter, type ReporterDeps } from "./reporter.ts";
import { createSourceRoot } from "./source-root.ts";

/**
 * GitHub Actions workflow commands, one per finding: the runner turns each line that starts with `::` into an annotation
 * in the files of a pull request.
 */
export function createGithubReporter({ host, print }: ReporterDeps): Reporter {
  const root = createSourceRoot(host);
  return {
    async add({ tool, name, errors, unread }) {
      // Standard input and missing files cannot be annotated.
      const { inside, absolute } = root.locate(name);
      const file = name === "-" || unread === true ? undefined : (inside ?? absolute);
      await print(errors.map((finding) => toCommand(finding, file, toRuleId(tool, finding.rule))).join(""));
    },
    end: async () => undefined,
  };
}

function toCommand(finding: FileFinding, file: string | undefined, title: string): string {
  const { line, column, message } = finding;
  const properties = { file, line, col: column, title };
  const words = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  );
  return `::${toSeverityWord("github", finding)} ${words.join(",")}::${escapeData(message)}\n`;
}

/**
 * Escapes exactly what the runner unescapes; otherwise a message could end its command and start another, such as
 * `::add-path::`. Control characters are made visible as on a terminal.
 */
const escapeData = (text: string): string =>
  visible(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));

/** In a property, a comma would start the next one, and two colons would end the list. */
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
