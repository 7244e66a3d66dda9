import { OptionFault } from "../fault.ts";
import type * as re2js from "re2js";
import { BudgetError, evaluationBytes } from "../budget.ts";
import { type Dictionary, isDictionary, isList, type List, type Value } from "../data/value.ts";
import { type Query, type Segment, type Selector, type Test } from "./query.ts";

/** One node that a query selects. */
export interface Node {
  value: Value;
  /** Undefined at the root. */
  key?: string | number;
  parent?: Node;
  /** Where the value stands, if a reference led to it: a pointer (RFC 6901). */
  home?: string;
}

/** State shared by the parts of one evaluation. */
export interface Evaluation {
  root: Node;
  /** The engine for patterns. */
  re2: typeof re2js;
  patterns: Map<string, re2js.RE2JS | undefined>;
  passes(evaluation: Evaluation, test: Test, current: Node): boolean;
  /** Nodes that may still be visited: `$..*..*..*` multiplies them. */
  left: number;
  /** Returns what a value refers to; without it, references are values like others. */
  follow?(value: Value): { value: Value; home: string } | undefined;
}

export const maxVisits = 5_000_000;
/** Most nodes that one segment may select; a node takes about 48 bytes. */
const maxNodes = Math.floor(evaluationBytes / 48);

/** Returns the nodes that a query selects from `current`, or from the root. */
export function select(evaluation: Evaluation, query: Query, current: Node): Node[] {
  let nodes = [query.relative ? current : evaluation.root];
  for (const segment of query.segments) nodes = selectSegment(evaluation, segment, nodes);
  return nodes;
}

function selectSegment(
  evaluation: Evaluation,
  { descendant, selectors }: Segment,
  nodes: readonly Node[],
): Node[] {
  const found: Node[] = [];
  for (const node of nodes) {
    for (const visited of descendant ? descendants(evaluation, node) : [node]) {
      for (const selector of selectors) selectInto(evaluation, selector, visited, found);
    }
  }
  return found;
}

/**
 * Yields a node and its descendants, parents first. Iterative: nesting uses no stack, and a long list is not
 * copied.
 */
function* descendants(evaluation: Evaluation, top: Node): Generator<Node> {
  yield top;
  // References may lead in circles: what they lead to is entered once.
  const entered = new Set<string>();
  const open = [children(evaluation, top)];
  for (let innermost = open.at(-1); innermost !== undefined; innermost = open.at(-1)) {
    const next = innermost.next();
    if (next.done === true) open.pop();
    else {
      const { home } = next.value;
      if (home !== undefined && entered.has(home)) continue;
      if (home !== undefined) entered.add(home);
      yield next.value;
      open.push(children(evaluation, next.value));
    }
  }
}

function selectInto(evaluation: Evaluation, selector: Selector, node: Node, found: Node[]): void {
  const { value } = node;
  switch (selector.kind) {
    case "name": {
      const member = isDictionary(value) ? value.get(selector.name) : undefined;
      if (member !== undefined) add(found, visit(evaluation, node, selector.name, member));
      return;
    }
    case "index": {
      if (!isList(value)) return;
      const index = selector.index < 0 ? value.length + selector.index : selector.index;
      const item = value[index];
      if (item !== undefined) add(found, visit(evaluation, node, index, item));
      return;
    }
    case "wildcard":
      for (const child of children(evaluation, node)) add(found, child);
      return;
    case "slice":
      if (!isList(value)) return;
      for (const index of indexesOf(selector, value.length))
        add(found, visit(evaluation, node, index, value[index] as Value));
      return;
    case "filter":
      for (const child of children(evaluation, node))
        if (evaluation.passes(evaluation, selector.test, child)) add(found, child);
  }
}

/** @throws BudgetError if part of a query selects more nodes than an evaluation may hold. */
function add(found: Node[], node: Node): void {
  if (found.length >= maxNodes) throw new BudgetError(evaluationBytes);
  found.push(node);
}

function* children(evaluation: Evaluation, node: Node): Generator<Node> {
  const value: Value | List | Dictionary = node.value;
  if (isList(value)) {
    for (const [index, item] of value.entries()) yield visit(evaluation, node, index, item);
  } else if (isDictionary(value)) {
    for (const [name, member] of value) yield visit(evaluation, node, name, member);
  }
}

function visit(evaluation: Evaluation, parent: Node, key: string | number, value: Value): Node {
  if (--evaluation.left < 0)
    throw new OptionFault(`the query visits more than ${maxVisits} nodes of this document; narrow it`);
  const target = evaluation.follow?.(value);
  return target === undefined ? { value, key, parent } : { ...target, key, parent };
}

/** RFC 9535 §2.3.4.2. */
function* indexesOf(
  { start, stop, step = 1 }: Extract<Selector, { kind: "slice" }>,
  length: number,
): Generator<number> {
  const normalize = (index: number): number => (index < 0 ? length + index : index);
  if (step > 0) {
    const upper = Math.min(Math.max(normalize(stop ?? length), 0), length);
    for (let at = Math.min(Math.max(normalize(start ?? 0), 0), length); at < upper; at += step) yield at;
  } else if (step < 0) {
    const lower = Math.min(Math.max(normalize(stop ?? -length - 1), -1), length - 1);
    for (let at = Math.min(Math.max(normalize(start ?? length - 1), -1), length - 1); at > lower; at += step)
      yield at;
  }
}
