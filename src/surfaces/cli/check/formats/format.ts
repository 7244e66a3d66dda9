import { jsonArg } from "../../command.ts";
import { unknownName, usageError } from "../../usage-error.ts";
import { createGithubReporter } from "./github.ts";
import { createHumanReporter } from "./human.ts";
import { createJsonReporter } from "./json.ts";
import type { Reporter, ReporterDeps } from "./reporter.ts";
import { createSarifReporter } from "./sarif.ts";

const reporters = {
  human: createHumanReporter,
  json: createJsonReporter,
  sarif: createSarifReporter,
  github: createGithubReporter,
} satisfies Record<string, (deps: ReporterDeps) => Reporter>;

export type Format = keyof typeof reporters;

/** The values of `--format`. */
export const formats = Object.keys(reporters) as readonly Format[];

export const formatArgs = {
  ...jsonArg,
  format: {
    type: "string",
    valueHint: formats.join("|"),
    description: "Output format: text lines (default), JSON, SARIF 2.1.0 or GitHub Actions annotations",
  },
} as const;

export const createReporter = (format: Format, deps: ReporterDeps): Reporter => reporters[format](deps);

/**
 * `--json` is short for `--format json`.
 * @throws ToolError invalid_input for an unknown format, or if the two options contradict each other.
 */
export function chooseFormat(line: { json?: boolean; format?: string }): Format {
  const json = line.json === true;
  const { format = json ? "json" : "human" } = line;
  if (!isFormat(format)) throw unknownName("format", format, formats, "penknife check --help");
  if (json && format !== "json")
    throw usageError(`--json is --format json; leave out --json or --format ${format}.`);
  return format;
}

const isFormat = (word: string): word is Format => Object.hasOwn(reporters, word);
