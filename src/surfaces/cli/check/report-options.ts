import { dirname, relative, resolve } from "node:path";
import type { ToolError } from "../../../catalog/errors.ts";
import { jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { requireWritable } from "../write-file.ts";
import { type Format, formats, toFormat } from "./formats/format.ts";

/** The formats in which a check reports its verdicts, and the findings that count. */
export interface ReportOptions {
  /** The format on standard output. */
  format: Format;
  outputs: readonly Output[];
  /** The file of known findings. */
  baseline?: string;
  writeBaseline: boolean;
  /** The commit whose list of checks, baseline and ignore comments count. */
  checksFrom?: string;
  /** More warnings than this fail the check. */
  maxWarnings: number;
}

/** A report that goes to a file. */
export interface Output {
  format: Format;
  path: string;
}

/** The options of a check that concern its reports. */
export const reportArgs = {
  ...jsonArg,
  format: {
    type: "string",
    valueHint: formats.join("|"),
    description: "Format of standard output: text lines (default), JSON, or a report for a CI system",
  },
  output: {
    type: "string",
    valueHint: "FORMAT=FILE",
    description: "Write a report to a file too, such as junit=report.xml; repeatable",
  },
  baseline: {
    type: "string",
    valueHint: "FILE",
    description: "A file of known findings, which are counted but do not fail the check",
  },
  "write-baseline": {
    type: "boolean",
    description:
      "Write the present findings to the file of --baseline, and remove those that no longer occur",
  },
  "checks-from": {
    type: "string",
    valueHint: "REF",
    description:
      "Take the list of checks, the files that it names, the baseline and the ignore comments from this commit: a change cannot pass itself",
  },
  "max-warnings": {
    type: "string",
    valueHint: "N",
    description: "Exit with status 1 if there are more warnings (default: any number is fine)",
  },
} as const;

export const repeatableReportOptions = ["output"];

/** The values of `reportArgs` in a command line. */
export interface ReportLine {
  json?: boolean;
  format?: string;
  baseline?: string;
  "write-baseline"?: boolean;
  "checks-from"?: string;
  lines?: boolean;
  "max-warnings"?: string;
}

/** The options of a command line that are for the check and not for a tool. */
export const withoutReportOptions = (raw: readonly string[]): string[] => {
  const end = raw.indexOf("--");
  return raw.filter((word, at) => at >= end || !/^--(?:format|output)=/.test(word));
};

/**
 * Reads the options before anything is checked.
 * @param raw The validated line, with each option as `--name=value`.
 * @throws ToolError invalid_input
 */
export async function readReportOptions(
  line: ReportLine,
  raw: readonly string[],
  host: Host,
  /** Whether a list of checks may name the baseline. */
  isListed = false,
): Promise<ReportOptions> {
  const { baseline } = line;
  const written = valuesOf("output", raw).map(toOutput);
  const format = chooseFormat(line, written);
  const outputs = written.filter(({ path }) => path !== "-");
  refuseRepeated(outputs, host);
  for (const { path } of outputs) await refuseUnwritable(path, host);
  const writeBaseline = line["write-baseline"] === true;
  if (writeBaseline && baseline === undefined && !isListed) throw noBaseline();
  const checksFrom = line["checks-from"];
  if (writeBaseline && checksFrom !== undefined)
    throw usageError("--write-baseline writes to the work tree; leave out --checks-from.");
  if (writeBaseline && line.lines === true)
    throw usageError("--write-baseline writes all findings of the files; leave out --lines.");
  if (writeBaseline && baseline !== undefined) await refuseUnwritable(baseline, host);
  return {
    format,
    outputs,
    ...(baseline !== undefined && { baseline }),
    writeBaseline,
    ...(checksFrom !== undefined && { checksFrom }),
    maxWarnings: toCount(line["max-warnings"]),
  };
}

const noBaseline = (): ToolError =>
  usageError("--write-baseline needs the name of the file: --baseline FILE");

/**
 * Adds the baseline that a list of checks names, unless the line names one.
 * @param listed Absolute.
 * @throws ToolError if it is to be written and cannot be, or has no name.
 */
export async function withListedBaseline(
  report: ReportOptions,
  listed: string | undefined,
  host: Host,
): Promise<ReportOptions> {
  const { baseline = listed && relative(host.files.cwd, listed), writeBaseline } = report;
  if (baseline === undefined && writeBaseline) throw noBaseline();
  if (baseline === undefined || report.baseline !== undefined) return report;
  if (writeBaseline) await refuseUnwritable(baseline, host);
  return { ...report, baseline };
}

/** Returns the values of an option that may be given more than once. */
export function valuesOf(name: string, raw: readonly string[]): string[] {
  const begin = `--${name}=`;
  return raw
    .slice(0, raw.indexOf("--"))
    .flatMap((word) => (word.startsWith(begin) ? [word.slice(begin.length)] : []));
}

function toOutput(word: string): Output {
  const at = word.indexOf("=");
  const path = word.slice(at + 1);
  if (at < 1 || path === "")
    throw usageError(
      `--output needs a format and a file, such as --output junit=report.xml; got ${visible(word)}.`,
    );
  return { format: toFormat(word.slice(0, at)), path };
}

/** `--json` is short for `--format json`, and `--output FORMAT=-` for `--format FORMAT`. */
function chooseFormat({ json = false, format }: ReportLine, outputs: readonly Output[]): Format {
  const [printed, second] = outputs.filter(({ path }) => path === "-");
  if (second !== undefined) throw usageError("--output names standard output (-) more than once.");
  if (printed !== undefined) {
    if (!json && format === undefined) return printed.format;
    throw usageError(
      `--output ${printed.format}=- is standard output; leave it out, or ${json ? "--json" : "--format"}.`,
    );
  }
  const chosen = toFormat(format ?? (json ? "json" : "human"));
  if (json && chosen !== "json")
    throw usageError(`--json is --format json; leave out --json or --format ${chosen}.`);
  return chosen;
}

function refuseRepeated(outputs: readonly Output[], { files }: Host): void {
  const paths = new Set<string>();
  for (const { path } of outputs) {
    const real = files.realPath(path);
    if (paths.has(real)) throw usageError(`--output names ${visible(path)} more than once.`);
    paths.add(real);
  }
}

/** A check may take minutes, so its report must not fail at the end for a reason that is known at the start. */
async function refuseUnwritable(path: string, host: Host): Promise<void> {
  const { files } = host;
  if (files.stat(path)?.kind === "folder")
    throw usageError(`${visible(path)} cannot be written: it is a folder`);
  if (files.stat(dirname(resolve(files.cwd, path)))?.kind !== "folder")
    throw usageError(`${visible(path)} cannot be written: there is no such folder`);
  await requireWritable({ path }, host);
}

function toCount(word: string | undefined): number {
  if (word === undefined) return Infinity;
  if (/^\d{1,9}$/.test(word)) return Number(word);
  throw usageError(`--max-warnings must be a number, got "${visible(word)}".`);
}
