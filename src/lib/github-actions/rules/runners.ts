import { nearest } from "../../nearest.ts";
import type { ReportAt } from "../finding.ts";
import type { Job } from "../model.ts";
import { child, isDynamic, listOf, type Node, quote, textOf } from "../node.ts";
import { matrixValuesOf } from "./matrix.ts";

export type System = "linux" | "windows" | "macos";

const list = (names: string): readonly string[] => names.split(" ");

/** https://docs.github.com/en/actions/reference/runners/github-hosted-runners */
const hosted = list(
  "ubuntu-latest ubuntu-26.04 ubuntu-24.04 ubuntu-22.04 ubuntu-26.04-arm ubuntu-24.04-arm ubuntu-22.04-arm ubuntu-slim windows-latest windows-2025 windows-2025-vs2026 windows-2022 windows-11-arm macos-latest macos-latest-large macos-latest-xlarge macos-26 macos-26-intel macos-26-large macos-26-xlarge macos-15 macos-15-intel macos-15-large macos-15-xlarge macos-14 macos-14-large macos-14-xlarge",
);

/** Images that no longer exist: a job that asks for one waits until it is cancelled. */
const removed: ReadonlyMap<string, string> = new Map([
  ["ubuntu-16.04", "ubuntu-latest"],
  ["ubuntu-18.04", "ubuntu-latest"],
  ["ubuntu-20.04", "ubuntu-latest"],
  ["windows-2016", "windows-latest"],
  ["windows-2019", "windows-latest"],
  ["macos-10.15", "macos-latest"],
  ["macos-11", "macos-latest"],
  ["macos-11.0", "macos-latest"],
  ["macos-12", "macos-latest"],
  ["macos-12-large", "macos-latest-large"],
  ["macos-12-xl", "macos-latest-xlarge"],
  ["macos-13", "macos-15-intel"],
  ["macos-13-large", "macos-15-large"],
  ["macos-13-xlarge", "macos-15-xlarge"],
]);

const selfHosted = list("self-hosted linux macos windows x64 arm arm64");

/** Checks the labels of the runner of a job, and returns its system where the labels tell. */
export function checkRunner({ node }: Job, own: readonly string[], report: ReportAt): System | undefined {
  const runsOn = child(node, "runs-on");
  const labels = runsOn?.kind === "map" ? child(runsOn, "labels") : runsOn;
  const isGroup = runsOn?.kind === "map" && child(runsOn, "group") !== undefined;
  const systems: (System | undefined)[] = [];
  const given = listOf(labels);
  for (const label of given) {
    const text = textOf(label);
    if (text === undefined) continue;
    if (!isDynamic(label)) {
      if (!isGroup) checkLabel(label, text, own, report);
      systems.push(systemOf(text));
      continue;
    }
    for (const value of matrixValuesOf(text, node)) {
      const each = textOf(value);
      systems.push(each === undefined ? undefined : systemOf(each));
      if (each !== undefined && !isDynamic(value)) checkLabel(value, each, own, report);
    }
    if (matrixValuesOf(text, node).length === 0) systems.push(undefined);
  }
  checkConflict(given, report);
  const [first] = systems;
  return systems.every((system) => system === first) ? first : undefined;
}

function checkLabel(at: Node, label: string, own: readonly string[], report: ReportAt): void {
  const name = label.toLowerCase();
  if (
    hosted.includes(name) ||
    selfHosted.includes(name) ||
    own.some((one) => matches(one.toLowerCase(), name))
  )
    return;
  const newer = removed.get(name);
  if (newer !== undefined) {
    report("runner-label", at, `GitHub has removed ${label}; use ${newer}.`, { severity: "warning" });
    return;
  }
  const near = nearest(name, [...hosted, ...own]);
  const advice = near === undefined ? "" : ` Did you mean ${near}?`;
  const message = `No runner of GitHub has the label ${quote(label)}; add it to labels if one of yours has.${advice}`;
  report("runner-label", at, message, { severity: "warning" });
}

/** Whether a label is one of the operator's, in which `*` stands for any characters. */
function matches(pattern: string, label: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === label;
  if (!label.startsWith(first)) return false;
  let from = first.length;
  const last = rest.pop() ?? "";
  for (const part of rest) {
    const at = label.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return label.length - last.length >= from && label.endsWith(last);
}

/** A runner must have all labels of a list, and one of GitHub has one image. */
function checkConflict(labels: readonly Node[], report: ReportAt): void {
  const images = labels.filter((label) => hosted.includes((textOf(label) ?? "").toLowerCase()));
  const [first, second] = images;
  if (first === undefined || second === undefined) return;
  const message = `No runner has both ${textOf(first)} and ${textOf(second)}; use a matrix to run on each.`;
  report("runner-label", second, message, { severity: "warning" });
}

function systemOf(label: string): System | undefined {
  const name = label.toLowerCase();
  if (/^ubuntu-|^linux$/.test(name)) return "linux";
  if (/^windows(?:-|$)/.test(name)) return "windows";
  return /^macos(?:-|$)/.test(name) ? "macos" : undefined;
}
