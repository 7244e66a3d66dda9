import { visible } from "../visible.ts";
import type { FileFinding } from "./check-files.ts";
import { type Reporter, type ReporterDeps, toRuleId } from "./reporter.ts";
import { createSourceRoot } from "./source-root.ts";

/**
 * Workflow commands of GitHub Actions, one a finding: the runner takes each line that begins with `::` out of the log
 * and makes an annotation of it, shown in the files of a pull request.
 */
export function createGithubReporter({ tool, host, print }: ReporterDeps): Reporter {
  const root = createSourceRoot(host);
  return {
    async add({ name, errors, unread }) {
      // Standard input and missing files cannot be annotated.
      const { inside, absolute } = root.locate(name);
      const file = name === "-" || unread === true ? undefined : (inside ?? absolute);
      await print(errors.map((finding) => toCommand(finding, file, tool.slug)).join(""));
    },
    end: async () => undefined,
  };
}

function toCommand(finding: FileFinding, file: string | undefined, slug: string): string {
  const { severity, line, column, rule, message } = finding;
  const properties = { file, line, col: column, title: toRuleId(slug, rule) };
  const words = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  );
  return `::${severity} ${words.join(",")}::${escapeData(message)}\n`;
}

/**
 * The runner undoes these escapes and no others; without them a message could end its command and begin one of its
 * own, `::add-path::` for instance. What else could act on a terminal has no place in a log either.
 */
const escapeData = (text: string): string =>
  visible(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));

/** In a property a comma would begin the next one, and two colons would end them all. */
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
