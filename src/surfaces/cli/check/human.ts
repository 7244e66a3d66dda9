import { createStyle } from "../style.ts";
import { visible } from "../visible.ts";
import { type Reporter, type ReporterDeps, toShownName } from "./reporter.ts";

/** A line for each finding, `file:line:column: message (rule)`, as compilers write it and editors read it. */
export function createHumanReporter({ host, print }: ReporterDeps): Reporter {
  const style = createStyle(host.stdout, host.env);
  return {
    async add({ name, errors, unread }) {
      // Reported on standard error, because it is not a finding in a file.
      if (unread === true) return;
      const shown = visible(toShownName(name));
      // The path is still that of the file, and no longer a command to the runner of a CI job.
      const file = /^\s*::/u.test(shown) ? `./${shown}` : shown;
      const lines = errors.map(({ line, column, message, severity, rule }) => {
        const place = style.bold([file, line, column].filter((part) => part !== undefined).join(":"));
        const kind = severity === "warning" ? style.yellow("warning: ") : "";
        return `${place}: ${kind}${visible(message)} ${style.dim(`(${rule})`)}\n`;
      });
      await print(lines.join(""));
    },
    end: async () => undefined,
  };
}
