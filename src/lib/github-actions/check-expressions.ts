import { explainExpression } from "./explain-expression.ts";
import { type Expression, findExpressions, type Parsed, parseExpression } from "./expression.ts";
import type { ReportAt } from "./finding.ts";
import type { Model, Steps } from "./model.ts";
import { entriesOf, type Node, type ScalarNode } from "./node.ts";
import { findReferenceFault, type Scope } from "./references.ts";
import { checkCalls } from "./rules/calls.ts";
import { checkCondition } from "./rules/conditions.ts";
import { checkInjection } from "./rules/injection.ts";
import type { Library } from "./library.ts";

/** A text with expressions, and what is around it. */
export interface Place {
  node: ScalarNode;
  scope: Scope;
  /** The keys from the nearest job, step or document down to it. */
  keys: readonly string[];
  /** The step that it stands in. */
  step: Node | undefined;
}

export interface Expressions {
  library: Library;
  model: Model;
  report: ReportAt;
  /** Whether another error would be left out. */
  isFull(): boolean;
  /** Texts whose expressions cannot be read, or refer to what is not available: nothing else of them is known. */
  broken: ReadonlySet<Node>;
}

/** Checks all expressions of a document: members of contexts, calls, conditions, and what a stranger chooses in scripts. */
export function checkExpressions(run: Expressions): void {
  const { model } = run;
  for (const place of placesOf(model)) {
    if (run.isFull()) return;
    checkPlace(place, run);
  }
}

const none: Steps = { nodes: [], ids: new Map() };

function* placesOf(model: Model): Generator<Place> {
  const root: Scope = { steps: none, before: 0 };
  for (const { key, value } of entriesOf(model.root)) {
    if (model.kind === "workflow" && key.text === "jobs") yield* placesOfJobs(model);
    else if (model.kind === "action" && key.text === "runs") yield* placesOfRuns(model, value);
    else {
      const scope = key.text === "outputs" ? { steps: model.steps, before: Infinity } : root;
      yield* scalarsOf(value, [key.text], scope, undefined);
    }
  }
}

function* placesOfJobs({ jobs }: Model): Generator<Place> {
  for (const job of jobs.values()) {
    for (const { key, value } of entriesOf(job.node)) {
      if (key.text === "steps") yield* placesOfSteps(job.steps, { job, steps: job.steps, before: 0 });
      else {
        const all = key.text === "outputs" || key.text === "environment";
        const scope = { job, steps: job.steps, before: all ? Infinity : 0 };
        yield* scalarsOf(value, ["job", key.text], scope, undefined);
      }
    }
  }
}

function* placesOfRuns({ steps }: Model, runs: Node): Generator<Place> {
  const scope = { steps, before: 0 };
  for (const { key, value } of entriesOf(runs)) {
    if (key.text === "steps") yield* placesOfSteps(steps, scope);
    else yield* scalarsOf(value, ["runs", key.text], scope, undefined);
  }
}

function* placesOfSteps(steps: Steps, scope: Scope): Generator<Place> {
  for (const [before, step] of steps.nodes.entries())
    for (const { key, value } of entriesOf(step))
      yield* scalarsOf(value, ["step", key.text], { ...scope, before }, step);
}

function* scalarsOf(
  root: Node,
  first: readonly string[],
  scope: Scope,
  step: Node | undefined,
): Generator<Place> {
  const open: [Node, readonly string[]][] = [[root, first]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, keys] = next;
    if (node.kind === "scalar") yield { node, scope, keys, step };
    else if (node.kind === "list")
      for (const item of node.items.toReversed()) open.push([item, [...keys, "-"]]);
    else
      for (const { key, value } of node.entries.toReversed()) {
        open.push([value, [...keys, key.text]]);
        open.push([key, [...keys, ""]]);
      }
  }
}

function checkPlace(place: Place, run: Expressions): void {
  const { node, keys } = place;
  if (run.broken.has(node)) return;
  const isCondition = ["if", "pre-if", "post-if"].includes(keys[1] ?? "") && keys.length === 2;
  if (isCondition ? !checkIf(place, run) : !node.text.includes("${{")) return;
  for (const expression of expressionsOf(node, isCondition)) {
    if (run.isFull()) return;
    const parsed = parseExpression(run.library, expression);
    if (parsed !== undefined) checkParsed(parsed, place, run);
  }
}

/** A condition needs no braces. */
const expressionsOf = (node: ScalarNode, isCondition: boolean): Expression[] =>
  isCondition && !node.text.includes("${{") ? [{ text: node.text, from: 0 }] : findExpressions(node.text);

/** Returns whether the condition can be read. */
function checkIf(place: Place, run: Expressions): boolean {
  const { node, keys } = place;
  const { library, model, report } = run;
  if (typeof node.value === "string" && !node.text.includes("${{")) {
    const error = findSyntaxError(
      library,
      model.kind,
      keys[0] === "job" ? "job-if" : keys[0] === "runs" ? "runs-if" : "step-if",
      node.text,
    );
    if (error !== undefined) {
      const { message, more } = explainExpression(library, node, error);
      report("expression", node, message, more);
      return false;
    }
  }
  const [expression] = expressionsOf(node, true);
  checkCondition(place, expression && parseExpression(library, expression), run);
  return true;
}

/** The library reads a condition without braces as text. */
function findSyntaxError(
  library: Library,
  kind: Model["kind"],
  type: string,
  text: string,
): Error | undefined {
  const schema = kind === "workflow" ? library.getWorkflowSchema() : library.getActionSchema();
  const { readerContext } = schema.getDefinition(type);
  const { namedContexts, functions } = library.splitAllowedContext([...readerContext]);
  try {
    new library.Parser(new library.Lexer(text).lex().tokens, namedContexts, functions).parse();
    return undefined;
  } catch (error) {
    if (error instanceof Error && !(error instanceof RangeError)) return error;
    throw error;
  }
}

function checkParsed(parsed: Parsed, place: Place, run: Expressions): void {
  const { node, scope } = place;
  for (const reference of parsed.references) {
    const fault = findReferenceFault(reference, scope, run.model);
    if (fault === undefined) continue;
    const character = reference.places[fault.member] ?? 0;
    run.report(fault.rule, node, fault.message, { severity: fault.severity ?? "error", character });
  }
  checkCalls(parsed, place, run);
  checkInjection(parsed, place, run);
}
