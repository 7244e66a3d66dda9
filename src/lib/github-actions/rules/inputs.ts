import { joinWords } from "../../join-words.ts";
import type { ReportAt } from "../finding.ts";
import { child, entriesOf, isDynamic, isEmpty, itemsOf, type Node, quote, textOf } from "../node.ts";

/** Most inputs that GitHub shows of workflow_dispatch. */
const maxInputs = 25;

const idPattern = /^[A-Za-z_][\w-]*$/;

/** Checks the inputs of workflow_dispatch: defaults of their types, and options of choices. */
export function checkDispatchInputs(settings: Node, report: ReportAt): void {
  const inputs = entriesOf(child(settings, "inputs"));
  if (inputs.length > maxInputs)
    report("input", inputs[maxInputs]?.key as Node, `workflow_dispatch has at most ${maxInputs} inputs.`);
  for (const { key, value } of inputs) {
    checkName(key, report);
    const type = textOf(child(value, "type"));
    const options = child(value, "options");
    if (type === "choice") checkChoice(key, value, options, report);
    else if (options !== undefined)
      report(
        "input",
        options,
        `Only an input of the type choice has options; this one is ${type ?? "string"}.`,
      );
    checkDefault(type, child(value, "default"), report);
  }
}

function checkChoice(key: Node, input: Node, options: Node | undefined, report: ReportAt): void {
  const values = itemsOf(options).flatMap((item) => textOf(item) ?? []);
  if (options === undefined || values.length === 0) {
    report("input", options ?? key, "An input of the type choice needs options.");
    return;
  }
  const seen = new Set<string>();
  for (const item of itemsOf(options)) {
    const text = textOf(item) ?? "";
    if (seen.has(text))
      report("input", item, `The option ${quote(text)} is there twice.`, { severity: "warning" });
    seen.add(text);
  }
  const standard = child(input, "default");
  const text = textOf(standard);
  if (standard === undefined || text === undefined || seen.has(text)) return;
  const listed = values.length <= 12 ? `: ${joinWords(values)}` : "";
  report("input", standard, `The default ${quote(text)} is none of the options${listed}.`);
}

function checkDefault(type: string | undefined, standard: Node | undefined, report: ReportAt): void {
  if (standard?.kind !== "scalar" || isDynamic(standard) || isEmpty(standard)) return;
  const { value, text } = standard;
  if (type === "boolean" && typeof value !== "boolean" && text !== "true" && text !== "false")
    report("input", standard, `The default of a boolean must be true or false, not ${quote(text)}.`);
  if (type === "number" && (text.trim() === "" || Number.isNaN(Number(text))))
    report("input", standard, `The default of a number must be one, not ${quote(text)}.`);
}

/** Checks what a reusable workflow declares. */
export function checkCallInputs(settings: Node, report: ReportAt): void {
  for (const { key, value } of entriesOf(child(settings, "inputs"))) {
    checkName(key, report);
    const standard = child(value, "default");
    const type = textOf(child(value, "type"));
    checkDefault(type, standard, report);
    if (type === "string" && standard?.kind === "scalar" && typeof standard.value === "number")
      report(
        "input",
        standard,
        `The default of a string must be a text: put ${quote(standard.text)} in quotes.`,
        {
          severity: "warning",
        },
      );
    if (standard !== undefined && textOf(child(value, "required")) === "true")
      report("input", standard, "A required input never takes its default; remove one of the two.", {
        severity: "warning",
      });
  }
  for (const { key } of entriesOf(child(settings, "secrets"))) checkName(key, report);
  for (const { key } of entriesOf(child(settings, "outputs"))) checkName(key, report);
}

function checkName(key: Node, report: ReportAt): void {
  const name = textOf(key) ?? "";
  if (!idPattern.test(name))
    report(
      "id",
      key,
      `The name ${quote(name)} must begin with a letter or _, and have letters, digits, - and _.`,
    );
}

/** Checks the id of a job, step or output. */
export function checkId(node: Node, what: string, report: ReportAt): void {
  const id = textOf(node);
  if (id === undefined || isDynamic(node)) return;
  if (!idPattern.test(id))
    report(
      "id",
      node,
      `The id ${quote(id)} of ${what} must begin with a letter or _, and have letters, digits, - and _.`,
    );
  else if (id.length >= maxId)
    report("id", node, `The id of ${what} must have fewer than ${maxId} characters.`);
  else if (id.startsWith("__"))
    report("id", node, `The id ${quote(id)} begins with __, which GitHub keeps for itself.`);
}

const maxId = 100;
