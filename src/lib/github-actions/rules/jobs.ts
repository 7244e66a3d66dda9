import { findCircles } from "../../find-circles.ts";
import { joinWords } from "../../join-words.ts";
import { nearest } from "../../nearest.ts";
import type { ReportAt } from "../finding.ts";
import type { Job, Model } from "../model.ts";
import { child, entriesOf, isDynamic, listOf, type Node, quote, textOf } from "../node.ts";
import { checkEnvironment } from "./events.ts";
import { checkId } from "./inputs.ts";
import { checkMatrix } from "./matrix.ts";
import { checkRunner } from "./runners.ts";
import { checkShell, checkSteps } from "./steps.ts";
import { checkWorkflowCall } from "./uses.ts";

export interface JobOptions {
  labels: readonly string[];
  pin: "sha" | "tag" | "off";
}

/** Checks each job, and the order of all. */
export function checkJobs(model: Model, options: JobOptions, report: ReportAt): void {
  const { jobs, root } = model;
  checkEnvironment(child(root, "env"), report);
  checkShell(child(root, "defaults", "run", "shell"), undefined, report);
  const all = child(root, "jobs");
  if (all?.kind === "map" && all.entries.length === 0) report("empty", all, "The workflow has no job.");
  for (const job of jobs.values()) {
    const { node, entry } = job;
    checkId(entry.key, "a job", report);
    checkNeeds(job, jobs, report);
    checkEnvironment(child(node, "env"), report);
    checkMatrix(child(node, "strategy", "matrix"), report);
    checkParallel(child(node, "strategy", "max-parallel"), report);
    const runner = checkRunner(job, options.labels, report);
    checkShell(child(node, "defaults", "run", "shell"), runner, report);
    checkContainers(node, report);
    for (const { key } of entriesOf(child(node, "outputs"))) checkId(key, "an output", report);
    const uses = child(node, "uses");
    if (uses !== undefined) checkWorkflowCall(uses, options.pin, report);
    checkSteps(job.steps, { model, runner, pin: options.pin }, report);
  }
  checkCycles(jobs, report);
}

function checkNeeds({ id, node }: Job, jobs: ReadonlyMap<string, Job>, report: ReportAt): void {
  const seen = new Set<string>();
  for (const need of listOf(child(node, "needs"))) {
    const name = textOf(need);
    if (name === undefined || isDynamic(need)) continue;
    const key = name.toLowerCase();
    if (seen.has(key)) report("needs", need, `The job ${quote(name)} is listed twice.`);
    seen.add(key);
    if (jobs.has(key)) continue;
    report("needs", need, () => {
      const near = nearest(name, jobs.keys());
      const advice = near === undefined ? "" : ` Did you mean ${jobs.get(near)?.entry.key.text ?? near}?`;
      return `The job ${quote(id)} needs ${quote(name)}, which is no job here.${advice}`;
    });
  }
}

function checkParallel(most: Node | undefined, report: ReportAt): void {
  if (
    most?.kind === "scalar" &&
    typeof most.value === "number" &&
    !(Number.isInteger(most.value) && most.value > 0)
  )
    report("value", most, `max-parallel must be a whole number above 0, not ${most.text.slice(0, 80)}.`);
}

/** Most jobs that a message about a cycle names. */
const maxNamed = 8;

/** Reports each circle of jobs that wait for each other, at the need that closes it. */
function checkCycles(jobs: ReadonlyMap<string, Job>, report: ReportAt): void {
  const needsOf = (name: string): [string, Node][] | undefined => {
    const needs = jobs.get(name)?.needs;
    return needs && [...needs].toReversed();
  };
  for (const { names, closing } of findCircles(jobs.keys(), needsOf)) {
    const shown = names.length > maxNamed ? [...names.slice(0, maxNamed), "…"] : names;
    const message =
      names.length === 1
        ? `The job ${quote(names[0] as string)} needs itself.`
        : `These jobs wait for each other: ${joinWords(
            shown.map((name) => jobs.get(name)?.entry.key.text ?? name),
            "and",
          )}.`;
    report("needs", closing, message);
  }
}

function checkContainers(job: Node, report: ReportAt): void {
  checkPassword(child(job, "container"), report);
  for (const { value } of entriesOf(child(job, "services"))) checkPassword(value, report);
}

function checkPassword(container: Node | undefined, report: ReportAt): void {
  checkEnvironment(child(container, "env"), report);
  const password = child(container, "credentials", "password");
  if (password !== undefined && textOf(password) !== undefined && !isDynamic(password))
    report("credentials", password, "The password is in the workflow; take it from secrets.");
}
