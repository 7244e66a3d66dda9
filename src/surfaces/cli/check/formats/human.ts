import { toRuleId } from "../../../../checks/rule-id.ts";
import { toSeverityWord } from "../../../../checks/severity.ts";
import { showFileName } from "../../../../lib/file-name.ts";
import { createStyle } from "../../style.ts";
import { visible } from "../../visible.ts";
import { type Reporter, type ReporterDeps, toShownName } from "./reporter.ts";

/** One line per finding, in the form of compilers: `file:line:column: message (rule)`, with several tools `(tool/rule)`. */
export function createHumanReporter({ host, several, isTTY, print }: ReporterDeps): Reporter {
  const style = createStyle({ isTTY }, host.env);
  return {
    async add({ name, tool, errors, unread, fixed }) {
      // Already reported on standard error.
      if (unread === true) return;
      const shown = visible(showFileName(toShownName(name)));
      // Still a path to the file, but no longer a command to a CI runner.
      const file = /^\s*::/u.test(shown) ? `./${shown}` : shown;
      const lines = errors.map((finding) => {
        const { line, column, message, rule } = finding;
        const place = style.bold([file, line, column].filter((part) => part !== undefined).join(":"));
        const word = toSeverityWord("human", finding);
        const kind = word === "" ? "" : style.yellow(word);
        return `${place}: ${kind}${visible(message)} ${style.dim(`(${several ? toRuleId(tool, rule) : rule})`)}\n`;
      });
      if (fixed === true) lines.unshift(`${style.bold(file)}: fixed ${style.dim(`(${tool?.slug})`)}\n`);
      await print(lines.join(""));
    },
    end: async () => undefined,
  };
}
