import { parseCron } from "../../cron/parse.ts";
import { DocumentFault } from "../../fault.ts";
import type { ReportAt } from "../finding.ts";
import type { Model } from "../model.ts";
import { child, entriesOf, isDynamic, isEmpty, itemsOf, listOf, type Node, quote, textOf } from "../node.ts";
import { findGlobFault } from "./filters.ts";
import { checkCallInputs, checkDispatchInputs } from "./inputs.ts";

/** Checks the events that start a workflow: filters, schedules and inputs. The schema has checked names and types. */
export function checkEvents({ events, root }: Model, report: ReportAt): void {
  const on = child(root, "on");
  if (on !== undefined && on.kind !== "scalar" && events.size === 0)
    report("empty", on, "The workflow has no event that starts it.", { severity: "warning" });
  for (const [name, { settings }] of events) {
    if (settings === undefined) continue;
    checkFilters(name, settings, report);
    if (name === "schedule") checkSchedule(settings, report);
    if (name === "workflow_run" && child(settings, "workflows") === undefined && !isEmpty(settings))
      report("event", settings, "workflow_run needs workflows: the names of those that it follows.");
    if (name === "workflow_dispatch") checkDispatchInputs(settings, report);
    if (name === "workflow_call") checkCallInputs(settings, report);
  }
}

const exclusive = [
  ["branches", "branches-ignore"],
  ["tags", "tags-ignore"],
  ["paths", "paths-ignore"],
] as const;

function checkFilters(event: string, settings: Node, report: ReportAt): void {
  for (const [one, other] of exclusive) {
    const ignore = child(settings, other);
    if (child(settings, one) !== undefined && ignore !== undefined)
      report("event", ignore, `${event} cannot have both ${one} and ${other}; use ! in ${one}.`);
    for (const key of [one, other]) checkPatterns(key, child(settings, key), report);
  }
  for (const key of ["types", "workflows"]) {
    const value = child(settings, key);
    if (value?.kind === "list" && value.items.length === 0)
      report("empty", value, `The list ${key} is empty, so that nothing starts the workflow.`);
  }
}

function checkPatterns(key: string, value: Node | undefined, report: ReportAt): void {
  if (value === undefined) return;
  if (isEmpty(value) || (value.kind === "list" && value.items.length === 0)) {
    report("empty", value, `The list ${key} is empty.`);
    return;
  }
  const patterns = listOf(value);
  for (const pattern of patterns) {
    const text = textOf(pattern);
    if (text === undefined || isDynamic(pattern)) continue;
    const fault = findGlobFault(text, key.startsWith("paths") ? "path" : "ref");
    if (fault !== undefined) report("glob", pattern, fault.message, { character: fault.index });
  }
  if (!key.endsWith("-ignore") && patterns.every((pattern) => textOf(pattern)?.startsWith("!") === true))
    report("glob", value, `All patterns of ${key} begin with !, so that none matches; use ${key}-ignore.`);
}

/** The shortest interval of a schedule, in minutes. */
const minInterval = 5;

function checkSchedule(schedule: Node, report: ReportAt): void {
  if (schedule.kind === "list" && schedule.items.length === 0)
    report("empty", schedule, "The schedule is empty.");
  for (const item of itemsOf(schedule)) {
    const cron = child(item, "cron");
    const text = textOf(cron);
    if (cron !== undefined && text !== undefined) checkCron(cron, text, report);
    const zone = child(item, "timezone");
    const name = textOf(zone);
    if (zone !== undefined && name !== undefined && !isZone(name))
      report("event", zone, `${quote(name)} is not a time zone of the IANA database, such as Europe/Berlin.`);
  }
}

function checkCron(node: Node, text: string, report: ReportAt): void {
  // The templates of actions/starter-workflows, which GitHub fills in.
  if (/^\$cron-(?:daily|weekly)$/.test(text)) return;
  if (text.trim().startsWith("@")) {
    report("cron", node, `GitHub has no nicknames such as ${quote(text)}; write five fields.`);
    return;
  }
  const special = /[LW#?]/.exec(text.replaceAll(/[A-Za-z]{3,}/g, (word) => " ".repeat(word.length)));
  if (special !== null) {
    report("cron", node, `GitHub does not support ${special[0]} in a schedule.`, {
      character: special.index,
    });
    return;
  }
  try {
    const { fields } = parseCron(text, "unix", false);
    if (fields.length > 5) {
      report("cron", node, "GitHub reads five fields: minute, hour, day of month, month, day of week.");
      return;
    }
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    report("cron", node, error.message, { character: error.at.index ?? 0 });
    return;
  }
  const [minute = ""] = text.trim().split(/\s+/);
  const every = /^(?:\*|0-59)\/(\d+)$/.exec(minute)?.[1];
  if (minute === "*" || (every !== undefined && Number(every) < minInterval))
    report("cron", node, `GitHub runs a schedule at most every ${minInterval} minutes.`, {
      severity: "warning",
    });
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Checks the names of variables: a shell can have no others. */
export function checkEnvironment(env: Node | undefined, report: ReportAt): void {
  for (const { key, value } of entriesOf(env)) {
    if (!key.text.includes("${{") && /[=&\s]/.test(key.text))
      report(
        "env-name",
        key,
        `${quote(key.text)} cannot be the name of a variable; it must not have =, & or spaces.`,
      );
    if (key.text === "ACTIONS_ALLOW_UNSECURE_COMMANDS" && textOf(value) === "true")
      report(
        "insecure-commands",
        key,
        "This permits set-env and add-path, with which what a program prints can change the environment of later steps.",
        { severity: "warning" },
      );
  }
}
