import type { Answer } from "../../catalog/execute.ts";
import type { Tool } from "../../catalog/tool.ts";
import { usageError } from "./usage-error.ts";
import type { ResultLine } from "./write-result.ts";

/** The options that every form of `run` has. */
export interface RunLine extends ResultLine {
  file?: string;
  check?: boolean;
  "report-only"?: boolean;
}

/** How a result is written. */
export const resultArgs = {
  out: { type: "string", valueHint: "FILE", description: "Write the result to FILE, if there is one" },
  newline: {
    type: "boolean",
    default: true,
    negativeDescription: "Do not end the result with a newline",
  },
} as const;

/** The option of tools that answer with a report. */
export const reportOnlyArg = {
  "report-only": { type: "boolean", description: "Exit with status 0 whatever the report says" },
} as const;

/** 1 where a report says that the document is not valid, so that `penknife run … && deploy` stops. */
export const toStatus = (answer: Answer, line: RunLine): number =>
  answer.valid === false && line["report-only"] !== true ? 1 : 0;

/** Refuses `--report-only` for a tool without a report. @throws ToolError */
export function refuseIdleReportOnly(line: RunLine, { slug, check }: Pick<Tool, "slug" | "check">): void {
  if (line["report-only"] !== true || line.check === true || check === "report") return;
  throw usageError(
    check === undefined
      ? `${slug} makes no report; leave out --report-only.`
      : `${slug} makes a report only with --check; add --check or leave out --report-only.`,
  );
}

/**
 * Refuses `--data`: over HTTP it is the document, in other commands the folder of the store, and here it is neither.
 * @param line The words of the command; undefined where it takes no document.
 * @param stdin What names standard input, where the command does not read it by itself.
 */
export const refuseData = (line: string | undefined, stdin = ""): Readonly<Record<string, string>> => ({
  data: `--data is not an option of this command, which uses no store. ${
    line === undefined
      ? "The tool takes no document; leave out --data."
      : `The document is a file or standard input: penknife ${line} FILE, or printf %s TEXT | penknife ${line}${stdin}`
  }`,
});
