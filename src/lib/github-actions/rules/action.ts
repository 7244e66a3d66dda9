import type { ReportAt } from "../finding.ts";
import type { Model } from "../model.ts";
import { child, entriesOf, isEmpty, textOf } from "../node.ts";
import { checkId } from "./inputs.ts";
import { checkSteps } from "./steps.ts";

/** Checks the metadata of an action; the schema has checked its keys. */
export function checkAction(model: Model, pin: "sha" | "tag" | "off", report: ReportAt): void {
  const { root, steps } = model;
  const using = child(root, "runs", "using");
  const runtime = textOf(using);
  if (using !== undefined && (runtime === "node12" || runtime === "node16"))
    report("outdated-runtime", using, `Runners of GitHub no longer have ${runtime}; use node24.`);
  const wrong = { main: "composite docker", steps: "docker node", image: "composite node" };
  for (const [key, kinds] of Object.entries(wrong)) {
    const value = child(root, "runs", key);
    const kind = runtime?.replace(/\d+$/, "") ?? "";
    if (value !== undefined && kind !== "" && kinds.split(" ").includes(kind))
      report("action", value, `An action that uses ${runtime} has no ${key}.`);
  }
  for (const { key, value } of entriesOf(child(root, "inputs"))) {
    checkId(key, "an input", report);
    const standard = child(value, "default");
    if (standard !== undefined && !isEmpty(standard) && textOf(child(value, "required")) === "true")
      report("input", standard, "A required input never takes its default; remove one of the two.", {
        severity: "warning",
      });
  }
  for (const { key, value } of entriesOf(child(root, "outputs"))) {
    checkId(key, "an output", report);
    if (runtime === "composite" && child(value, "value") === undefined)
      report("action", key, `The output ${key.text.slice(0, 80)} of a composite action needs value.`);
  }
  checkSteps(steps, { model, runner: undefined, pin }, report);
}
