import type { Answer } from "../../catalog/execute.ts";
import type { Tool } from "../../catalog/tool.ts";
import { usageError } from "./usage-error.ts";
import type { ResultLine } from "./write-result.ts";

/** The options that every form of `run` accepts. */
export interface RunLine extends ResultLine {
  file?: string;
  /** The document itself. */
  text?: string;
  check?: boolean;
  "report-only"?: boolean;
}

/** The ways to give the document. */
export const documentArgs = {
  file: {
    type: "positional",
    required: false,
    description: "The document; standard input if omitted or -",
  },
  text: {
    type: "string",
    valueHint: "TEXT",
    description: "The document itself, instead of FILE; every user of the machine can read a command line",
  },
} as const;

export const documentTwins = { text: "text", operand: "file", required: false } as const;

export const resultArgs = {
  out: {
    type: "string",
    valueHint: "FILE",
    description: "Write the result to FILE; nothing is written if the call fails",
  },
  newline: {
    type: "boolean",
    default: true,
    negativeDescription: "Do not end the result with a newline",
  },
} as const;

/** For tools that return a report. */
export const reportOnlyArg = {
  "report-only": { type: "boolean", description: "Exit with status 0 even if the report has errors" },
} as const;

/** Returns 1 if a report says that the document is invalid, so that `penknife run … && deploy` stops. */
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
 * The refusal of `--data`, which is the document over HTTP and the data folder in other commands.
 * @param line The words of the command; undefined if it takes no document.
 */
export const refuseData = (line: string | undefined): Readonly<Record<string, string>> => ({
  data: `--data is not an option here: this command uses no store. ${
    line === undefined
      ? "The tool takes no document; leave out --data."
      : line.startsWith("check")
        ? `The document is a file or standard input: penknife ${line} FILE, or printf %s TEXT | penknife ${line} -`
        : `The document is a file, standard input or text: penknife ${line} FILE, or penknife ${line} --text TEXT`
  }`,
});
