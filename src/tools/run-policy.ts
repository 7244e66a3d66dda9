import { type Report, toReport } from "../catalog/report.ts";
import { createBoundedFindings } from "../lib/bounded-findings.ts";
import type { Engine, Outcome } from "../lib/cel/engine.ts";
import { createConversion, toCelMap } from "../lib/cel/values.ts";
import type { Value } from "../lib/data/value.ts";
import { DocumentFault, OptionFault } from "../lib/fault.ts";
import { toPointer } from "../lib/json/pointer.ts";
import { pathOf } from "../lib/jsonpath/nodes.ts";
import { runQuery } from "../lib/jsonpath/run.ts";
import type { OneOfMany } from "./documents.ts";
import { type FoundFault, toFindings } from "./findings.ts";
import type { Compiled, Policy, Rule } from "./read-policy.ts";

/** Most evaluations of rules, over all documents. */
const maxEvaluations = 100_000;
/** Most errors, and most warnings. */
const maxFindings = 10_000;
/** Most characters of a message; Kubernetes has the same limit for those of policies. */
const maxMessage = 5120;

interface Found {
  rule: string;
  severity: "error" | "warning";
  message: string;
  pointer: string;
}

/** A value that a rule is evaluated for. */
interface Target {
  value: Value;
  path: (string | number)[];
}

/** Evaluates a policy over documents. A fault of a document, an evaluation that fails and a limit are findings. */
export async function runPolicy(
  data: string,
  documents: readonly OneOfMany[],
  policy: Policy,
  engine: Engine,
): Promise<Report> {
  const findings = createBoundedFindings<FoundFault & Found>(maxFindings);
  let left = maxEvaluations;
  for (const document of documents) {
    const found: Found[] = [];
    const count = (): boolean => left-- > 0;
    if (left > 0)
      await checkDocument(document.value, { policy, engine, count, add: (one) => found.push(one) });
    const places = document.locate(found.map(({ pointer }) => pointer));
    for (const [at, one] of found.entries())
      findings.add({ ...one, at: { ...places[at], pointer: one.pointer } });
  }
  const listed = toFindings(data, findings.list()).toSorted((a, b) => a.offset - b.offset);
  const limits = [
    left < 0 &&
      `Not all is checked: the rules would be evaluated more than ${maxEvaluations} times, the limit. Narrow each, or split the document.`,
    engine.roundsLeft === 0 && "Not all is checked: comprehensions have run as many rounds as they may.",
    listed.length >= maxFindings && `There are more findings than ${maxFindings}, the limit.`,
  ];
  const said = limits.flatMap((message): FoundFault[] =>
    message === false ? [] : [{ rule: "cel-limit", message, pointer: "", offset: 0 }],
  );
  return toReport([...toFindings(data, said), ...listed]);
}

interface Work {
  policy: Policy;
  engine: Engine;
  /** Counts an evaluation; false if no more may run. */
  count(): boolean;
  add(found: Found): void;
}

async function checkDocument(value: Value, work: Work): Promise<void> {
  const { policy, count, add } = work;
  const convert = createConversion();
  try {
    convert(value);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const { message, rule, at } = error;
    return add({ rule, severity: "error", message, pointer: at.pointer ?? "" });
  }
  const selected = new Map<string, Target[] | string>();
  for (const rule of policy.rules) {
    const key = rule.each ?? "$";
    let targets = selected.get(key);
    if (targets === undefined) selected.set(key, (targets = await select(rule, value)));
    if (typeof targets === "string") {
      add({ rule: "cel-error", severity: "error", message: `Rule ${rule.id}: ${targets}`, pointer: "" });
      continue;
    }
    for (const target of targets) {
      if (!count()) return;
      const scope: Scope = Object.assign(Object.create(null) as Scope, {
        document: convert(value),
        self: convert(target.value),
        path: target.path.map((part) => (typeof part === "number" ? BigInt(part) : part)),
      });
      scope.variables = createVariables(work, scope);
      checkTarget(rule, toPointer(target.path), scope, add);
    }
  }
}

/** The values of the names in the expressions of a rule. It has no prototype: `constructor` is no name. */
type Scope = Record<string, unknown>;

/** Returns the values that a rule is for, or why they cannot be selected. */
async function select({ each }: Rule, value: Value): Promise<Target[] | string> {
  if (each === undefined) return [{ value, path: [] }];
  try {
    return (await runQuery(each, value)).map((node) => ({ value: node.value, path: pathOf(node) }));
  } catch (error) {
    if (!(error instanceof Error) || (!(error instanceof OptionFault) && error.name !== "BudgetError"))
      throw error;
    return `each: ${error.message}`;
  }
}

function checkTarget(rule: Rule, pointer: string, scope: Scope, add: Work["add"]): void {
  const fail = (what: string, { text, locate }: Compiled, error: string, index?: number): void => {
    const { line, column } = locate(index ?? 0);
    const where = `policy, line ${line}, column ${column}`;
    const message = `Rule ${rule.id}: ${what} of ${shorten(text)} failed (${where}): ${error}.`;
    add({ rule: "cel-error", severity: "error", message, pointer });
  };
  /** Returns a boolean, or undefined after it has added a finding. */
  const decide = (what: string, compiled: Compiled): boolean | undefined => {
    const outcome = compiled.run(scope);
    if ("value" in outcome && typeof outcome.value === "boolean") return outcome.value;
    const error = "error" in outcome ? outcome.error : `it must be true or false, not ${typeOf(outcome)}`;
    fail(what, compiled, error, "index" in outcome ? outcome.index : undefined);
    return undefined;
  };

  if (rule.match !== undefined && decide("match", rule.match) !== true) return;
  if (decide("expression", rule.expression) !== false) return;
  add({ rule: rule.id, severity: rule.severity, message: messageOf(rule, scope), pointer });
}

/** As in Kubernetes, a message that cannot be made is replaced by the fixed one. */
function messageOf({ expression, message, messageExpression }: Rule, scope: Scope): string {
  const outcome = messageExpression?.run(scope);
  if (outcome !== undefined && "value" in outcome && typeof outcome.value === "string") {
    const made = outcome.value.trim();
    if (made !== "" && made.length <= maxMessage) return made.toWellFormed();
  }
  return message ?? `Must be true: ${shorten(expression.text)}`;
}

/** A map whose members are evaluated when they are read, each at most once. */
function createVariables({ policy: { variables }, engine }: Work, scope: Scope): unknown {
  const known = new Map<string, Outcome>();
  const byName = new Map(variables.map(({ name, expression }) => [name, expression]));
  return toCelMap({
    size: variables.length,
    keys: () => byName.keys(),
    get(key) {
      const name = String(key);
      const expression = byName.get(name);
      if (expression === undefined) return undefined;
      const outcome = known.get(name) ?? expression.run(scope);
      known.set(name, outcome);
      if ("value" in outcome) return outcome.value;
      // Of variables that use one another, the one at fault is named.
      const { error } = outcome;
      return engine.toError(error.startsWith("variables.") ? error : `variables.${name}: ${error}`);
    },
  });
}

const typeOf = (outcome: Outcome): string => {
  const value: unknown = "value" in outcome ? outcome.value : undefined;
  if (value === null) return "null";
  const names: Record<string, string> = { bigint: "int", number: "double", string: "string" };
  return names[typeof value] ?? "a list, map or other value";
};

const shorten = (text: string): string => {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
};
