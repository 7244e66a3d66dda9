import { unknownName } from "../../usage-error.ts";
import { createCheckstyleReporter } from "./checkstyle.ts";
import { createGithubReporter } from "./github.ts";
import { createGitlabReporter } from "./gitlab.ts";
import { createHumanReporter } from "./human.ts";
import { createJsonReporter } from "./json.ts";
import { createJunitReporter } from "./junit.ts";
import { createMarkdownReporter } from "./markdown.ts";
import { createRdjsonReporter } from "./rdjson.ts";
import type { Reporter, ReporterDeps } from "./reporter.ts";
import { createSarifReporter } from "./sarif.ts";

const reporters = {
  human: createHumanReporter,
  json: createJsonReporter,
  sarif: createSarifReporter,
  github: createGithubReporter,
  gitlab: createGitlabReporter,
  junit: createJunitReporter,
  checkstyle: createCheckstyleReporter,
  rdjson: createRdjsonReporter,
  markdown: createMarkdownReporter,
} satisfies Record<string, (deps: ReporterDeps) => Reporter>;

export type Format = keyof typeof reporters;

/** The values of `--format`. */
export const formats = Object.keys(reporters) as readonly Format[];

export const createReporter = (format: Format, deps: ReporterDeps): Reporter => reporters[format](deps);

/** @throws ToolError invalid_input for an unknown format. */
export function toFormat(word: string): Format {
  if (Object.hasOwn(reporters, word)) return word as Format;
  throw unknownName("format", word, formats, "penknife check --help");
}
