import { createBoundedFindings } from "../bounded-findings.ts";
import { DocumentFault } from "../fault.ts";
import { createLineOf } from "../lines.ts";
import { loadYaml } from "../yaml/parse.ts";
import { createTextPlaces } from "../yaml/text-place.ts";
import { checkExpressions } from "./check-expressions.ts";
import type { ActionsFinding, ReportAt } from "./finding.ts";
import { readModel } from "./model.ts";
import { child, type Node, readNode, type ScalarNode } from "./node.ts";
import { findIgnores, namesRule } from "./rule-names.ts";
import { checkAction } from "./rules/action.ts";
import { checkEvents } from "./rules/events.ts";
import { checkJobs } from "./rules/jobs.ts";
import { checkPermissions } from "./rules/permissions.ts";
import { checkStructure, loadLibrary, markKeys } from "./structure.ts";

export interface ActionsOptions {
  kind: "workflow" | "action" | "auto";
  /** Labels of runners of one's own; `*` stands for any characters. */
  labels: readonly string[];
  pin: "sha" | "tag" | "off";
  permissions: "warn" | "off";
  /** Names of rules, ours or those of actionlint and zizmor. */
  ignore: readonly string[];
}

/** Most findings reported of each severity. */
const maxFindings = 100;

/** Lints a workflow of GitHub Actions, or the metadata of an action: at most 100 errors, and warnings up to 100 findings. */
export async function lintActions(text: string, options: ActionsOptions): Promise<ActionsFinding[]> {
  const yaml = await loadYaml();
  let root: Node | undefined;
  try {
    root = readNode(yaml, text);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const { message, rule, at } = error;
    return [{ rule, severity: "error", message, pointer: "", index: at.index ?? 0 }];
  }
  if (root?.kind !== "map") {
    const message = root === undefined ? "The document is empty." : "A workflow must be a map of keys.";
    return [{ rule: "type", severity: "error", message, pointer: "", index: root?.index ?? 0 }];
  }
  const library = await loadLibrary();
  const findings = createBoundedFindings<ActionsFinding>(maxFindings);
  const broken = new Set<Node>();
  const add = createReporter(text, options, findings);
  const report: ReportAt = (rule, node, message, more) => {
    if (rule === "expression") broken.add(node);
    add(rule, node, message, more);
  };
  const kind =
    options.kind === "auto"
      ? child(root, "runs") !== undefined && child(root, "jobs") === undefined
        ? "action"
        : "workflow"
      : options.kind;
  markKeys(root);
  checkStructure(library, kind, root, report);
  const model = readModel(root, kind);
  if (kind === "action") checkAction(model, options.pin, report);
  else {
    checkEvents(model, report);
    checkJobs(model, options, report);
    if (options.permissions === "warn") checkPermissions(model, report);
  }
  checkExpressions({ library, model, report, isFull: () => findings.isFull("error"), broken });
  return findings.list();
}

/** Returns a function that adds findings with their places, but none that the caller or a comment of the document ignores. */
function createReporter(
  document: string,
  options: ActionsOptions,
  findings: ReturnType<typeof createBoundedFindings<ActionsFinding>>,
): ReportAt {
  const ignored = new Set(options.ignore);
  const comments = findIgnores(document);
  const seen = new Set<string>();
  const lineOf = comments.size > 0 ? createLineOf(document) : () => 1;
  let last: { node: Node; placeOf: (character: number) => number } | undefined;
  const placeOf = (node: ScalarNode, character: number): number => {
    if (last?.node !== node) last = { node, placeOf: createTextPlaces(document, node.index, node.text) };
    return last.placeOf(character);
  };
  const isIgnored = (rule: string, index: number): boolean => {
    const names = comments.get(lineOf(index));
    return names !== undefined && namesRule(names, rule);
  };
  return (rule, node, message, { severity = "error", character } = {}) => {
    if (findings.isFull(severity) || namesRule(ignored, rule)) return;
    const { index: from, pointer } = node;
    const index = character === undefined || node.kind !== "scalar" ? from : placeOf(node, character);
    if (comments.size > 0 && (isIgnored(rule, index) || isIgnored(rule, from))) return;
    const text = typeof message === "string" ? message : message();
    // An alias repeats the findings of its anchor.
    const key = `${rule} ${index} ${text}`;
    if (seen.has(key)) return;
    seen.add(key);
    findings.add({ rule, severity, message: text, pointer, index });
  };
}
