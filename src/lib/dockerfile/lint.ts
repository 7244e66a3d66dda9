import { createBoundedFindings, type TextFinding } from "../bounded-findings.ts";
import { OptionFault } from "../fault.ts";
import { nearest } from "../nearest.ts";
import type { Context, DockerfileOptions } from "./context.ts";
import { type DockerfileFinding, withoutIgnored } from "./ignore.ts";
import { readDockerfile } from "./read.ts";
import { checkImages } from "./rules/images.ts";
import { checkLabels, labelFormats } from "./rules/labels.ts";
import { checkStages } from "./rules/stage.ts";
import { checkSyntax } from "./rules/syntax.ts";
import { type DockerfileRule, isRuleName, numberOf, ruleNames } from "./rules.ts";
import { toStages } from "./stages.ts";

/** Most findings reported of each severity. */
const maxFindings = 100;

/** Most findings made of each severity; comments may ignore some of them. */
const maxMade = 10_000;

/**
 * Checks a Dockerfile: at most 100 errors, and warnings up to 100 findings, in the order of the document.
 * @throws OptionFault for a name in `ignore` that is no rule, and for a label with an unknown format
 */
export function lintDockerfile(text: string, options: DockerfileOptions): TextFinding[] {
  checkOptions(options);
  const file = readDockerfile(text);
  const made = createBoundedFindings<DockerfileFinding>(maxMade);
  const report: Context["report"] = (rule, index, message, { severity = "warning", code } = {}) =>
    made.add({ rule, index, message: withNumber(message, numberOf(rule, code)), severity, code });
  for (const { rule, index, message, severity } of file.faults)
    report(rule as DockerfileRule, index, message, { severity });
  const context: Context = { file, parts: toStages(file), options, report };
  checkSyntax(context);
  checkImages(context);
  checkStages(context);
  checkLabels(context);
  const found = createBoundedFindings<TextFinding>(maxFindings);
  const kept = withoutIgnored(made.list(), options.ignore, file).toSorted((a, b) => a.index - b.index);
  for (const { rule, index, message, severity } of kept) found.add({ rule, index, message, severity });
  return found.list();
}

/** Names hadolint's number for a finding at the end of its last sentence. */
const withNumber = (message: string, number: string | undefined): string =>
  number === undefined ? message : `${message.replace(/\.$/, "")} (${number}).`;

function checkOptions({ ignore, labels }: DockerfileOptions): void {
  for (const name of ignore) {
    if (isRuleName(name)) continue;
    const near = nearest(name, ruleNames);
    const advice = near === undefined ? "Take the name from a finding." : `Did you mean ${near}?`;
    throw new OptionFault(`${JSON.stringify(name.slice(0, 64))} is no rule. ${advice}`, { option: "ignore" });
  }
  for (const label of labels) {
    const format = label.includes(":") ? label.slice(label.lastIndexOf(":") + 1) : "text";
    if (Object.hasOwn(labelFormats, format)) continue;
    const names = Object.keys(labelFormats).join(", ");
    throw new OptionFault(
      `${JSON.stringify(format.slice(0, 64))} is no format of a label; use one of ${names}.`,
      {
        option: "labels",
      },
    );
  }
}
