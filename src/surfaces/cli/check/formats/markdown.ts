import { counted } from "../../../../lib/counted.ts";
import { visible } from "../../visible.ts";
import type { CheckedFile } from "../../../../checks/verdict.ts";
import { toRuleId } from "../../../../checks/rule-id.ts";
import { type Reporter, type ReporterDeps, toReportPath } from "./reporter.ts";
import { createSourceRoot } from "./source-root.ts";

/** More findings are only counted: GitHub refuses a job summary of more than 1 MiB. */
const maxRows = 100;
/** Longer texts are cut. */
const maxCharacters = 300;

/** A summary in Markdown, for the page of a job or a comment: the counts, and a table of the first findings. */
export function createMarkdownReporter({ host, print }: ReporterDeps): Reporter {
  const root = createSourceRoot(host);
  const rows = { error: [] as string[], warning: [] as string[] };
  let findings = 0;
  const versions: string[] = [];
  let differing = 0;
  return {
    async add({ tool, name, errors, compared }) {
      findings += errors.length;
      if (compared !== undefined && compared !== "same") {
        differing++;
        if (versions.length < maxRows)
          versions.push(toVersionRow(toReportPath(root, name), tool, compared, errors));
      }
      for (const finding of errors) {
        const kind = rows[finding.severity];
        if (kind.length < maxRows) kind.push(toRow(toReportPath(root, name), tool, finding));
      }
    },
    end({ status, summary, against }) {
      const lines = [`### ${status === 0 ? "✅" : "❌"} penknife check`, "", toCode(summary)];
      if (against !== undefined) lines.push("", ...toVersionLines(against, versions, differing));
      const shown = [...rows.error, ...rows.warning].slice(0, maxRows);
      if (shown.length > 0)
        lines.push("", "| Severity | Place | Rule | Message |", "| --- | --- | --- | --- |", ...shown);
      if (findings > shown.length)
        lines.push("", `The table leaves out ${findings - shown.length} more findings.`);
      return print(`${lines.join("\n")}\n`);
    },
  };
}

/** The files that differ from a commit, of those that a tool compares with it. */
function toVersionLines(against: string, rows: readonly string[], count: number): string[] {
  const title = `Compared with ${toCode(against)}: ${count === 0 ? "no file that is compared differs." : `${counted(count, "file")} that ${count === 1 ? "differs" : "differ"}.`}`;
  if (rows.length === 0) return [title];
  const table = ["| File | Tool | Version | Errors | Warnings |", "| --- | --- | --- | --- | --- |", ...rows];
  return [
    title,
    "",
    ...table,
    ...(count > rows.length ? ["", `The table leaves out ${count - rows.length} more files.`] : []),
  ];
}

function toVersionRow(
  path: string,
  tool: CheckedFile["tool"],
  compared: string,
  errors: CheckedFile["errors"],
): string {
  const count = (kind: string): number => errors.filter(({ severity }) => severity === kind).length;
  return `| ${toCode(path)} | ${tool?.slug ?? ""} | ${compared} | ${count("error")} | ${count("warning")} |`;
}

function toRow(
  path: string,
  tool: CheckedFile["tool"],
  { severity, rule, line, column, message }: CheckedFile["errors"][number],
): string {
  const place = [path, line, column].filter((part) => part !== undefined).join(":");
  return `| ${severity} | ${toCode(place)} | ${toCode(toRuleId(tool, rule))} | ${toCode(message)} |`;
}

/**
 * Shows text as code, in which nothing is a link, a mention, a picture or HTML. A backslash before a vertical bar would end
 * the cell of the table, whatever follows, so that bar becomes a broken one.
 */
function toCode(text: string): string {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
  const shown = visible(cut)
    .replaceAll(/\\+\|/g, (bars) => `${bars.slice(0, -1)}¦`)
    .replaceAll("|", "\\|");
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  // A space on both sides is removed; without it a backtick would belong to the fence.
  const space = /^[` ]|[` ]$|^$/.test(shown) ? " " : "";
  return `${fence}${space}${shown}${space}${fence}`;
}
