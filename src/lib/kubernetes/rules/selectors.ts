import { type At, child, items, members, quote, type ReportAt, textOf } from "../at.ts";
import { checkLabels, labelsOf } from "./metadata.ts";

/** Checks the labels and expressions of a LabelSelector. */
export function checkSelector(selector: At, report: ReportAt): void {
  checkLabels(child(selector, "matchLabels"), report);
  for (const expression of items(child(selector, "matchExpressions"))) {
    const operator = textOf(child(expression, "operator"));
    const values = child(expression, "values");
    const count = items(values).length;
    if ((operator === "In" || operator === "NotIn") && count === 0)
      report("selector", expression, `The operator ${operator} must have at least one value in values.`);
    if ((operator === "Exists" || operator === "DoesNotExist") && count > 0)
      report("selector", values, `The operator ${operator} must have no values.`);
  }
}

/** Checks that a selector of a workload is not empty, and that it selects the labels of its template. */
export function checkTemplateSelector(selector: At, template: At, report: ReportAt, plain = false): void {
  if (selector.value === undefined || selector.value === null) return;
  const labels = labelsOf(child(template, "metadata", "labels"));
  const wanted = plain ? selector : child(selector, "matchLabels");
  const expressions = plain ? [] : items(child(selector, "matchExpressions"));
  if (members(wanted).length === 0 && expressions.length === 0)
    return report(
      "selector",
      selector,
      "The selector must not be empty; give it the labels of the template.",
    );
  for (const [key, at] of members(wanted)) {
    const value = textOf(at);
    if (value === undefined || labels.get(key) === value) continue;
    const has = labels.get(key);
    report(
      "selector-mismatch",
      at,
      `The selector has ${key}: ${quote(value)}, but the labels of the template ${has === undefined ? `lack ${quote(key)}` : `have ${key}: ${quote(has)}`}; they must match.`,
    );
  }
  for (const expression of expressions) {
    const key = textOf(child(expression, "key"));
    if (key !== undefined && !fits(expression, labels.get(key)))
      report(
        "selector-mismatch",
        expression,
        `The labels of the template do not fit this expression for ${quote(key)}; they must match.`,
      );
  }
}

function fits(expression: At, label: string | undefined): boolean {
  const values = items(child(expression, "values")).map(textOf);
  switch (textOf(child(expression, "operator"))) {
    case "In":
      return label !== undefined && values.includes(label);
    case "NotIn":
      return label === undefined || !values.includes(label);
    case "Exists":
      return label !== undefined;
    case "DoesNotExist":
      return label === undefined;
    default:
      return true;
  }
}
