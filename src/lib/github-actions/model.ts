import {
  child,
  entriesOf,
  type Entry,
  isDynamic,
  isEmpty,
  itemsOf,
  listOf,
  type MapNode,
  type Node,
  textOf,
} from "./node.ts";

/** The parts of a workflow that expressions and rules ask for. Names are in lower case, as GitHub compares them. */
export interface Model {
  root: Node;
  kind: "workflow" | "action";
  jobs: ReadonlyMap<string, Job>;
  /** The names of the declared inputs. */
  inputs: ReadonlySet<string>;
  /** The events with their settings, by name. */
  events: ReadonlyMap<string, Event>;
  /** The steps of a composite action. */
  steps: Steps;
}

export interface Event {
  /** Where the name stands. */
  name: Node;
  settings: Node | undefined;
}

export interface Job {
  id: string;
  entry: Entry;
  node: Node;
  needs: ReadonlyMap<string, Node>;
  steps: Steps;
  /** The names of its outputs; undefined if only a reusable workflow knows them. */
  outputs: ReadonlySet<string> | undefined;
  matrix: Matrix | undefined;
}

/** The steps of a job or action in their order, and the first of each id. */
export interface Steps {
  nodes: readonly Node[];
  ids: ReadonlyMap<string, number>;
}

/** The members of the context matrix, and those of each value that is a map; undefined where they are not known. */
export type Matrix = ReadonlyMap<string, ReadonlySet<string> | undefined> | "any";

export function readModel(root: Node, kind: Model["kind"]): Model {
  const events = readEvents(child(root, "on"));
  const jobs = new Map<string, Job>();
  for (const entry of kind === "workflow" ? entriesOf(child(root, "jobs")) : []) {
    const job = readJob(entry);
    if (!jobs.has(job.id)) jobs.set(job.id, job);
  }
  const inputs =
    kind === "action"
      ? namesOf(child(root, "inputs"))
      : new Set(
          ["workflow_call", "workflow_dispatch"].flatMap((name) => [
            ...namesOf(child(events.get(name)?.settings, "inputs")),
          ]),
        );
  const steps = kind === "action" ? readSteps(child(root, "runs", "steps")) : readSteps(undefined);
  return { root, kind, jobs, inputs, events, steps };
}

const namesOf = (node: Node | undefined): Set<string> =>
  new Set(entriesOf(node).map(({ key }) => key.text.toLowerCase()));

function readEvents(on: Node | undefined): Map<string, Event> {
  const events = new Map<string, Event>();
  for (const { key, value } of entriesOf(on)) events.set(key.text, { name: key, settings: value });
  if (on?.kind === "map") return events;
  for (const name of listOf(on)) {
    const text = textOf(name);
    if (text !== undefined) events.set(text, { name, settings: undefined });
  }
  return events;
}

function readJob(entry: Entry): Job {
  const { value } = entry;
  const outputs = child(value, "outputs");
  const needs = new Map<string, Node>();
  for (const need of listOf(child(value, "needs"))) {
    const name = textOf(need)?.toLowerCase();
    if (name !== undefined && !needs.has(name)) needs.set(name, need);
  }
  return {
    id: entry.key.text.toLowerCase(),
    entry,
    node: value,
    needs,
    steps: readSteps(child(value, "steps")),
    outputs: child(value, "uses") === undefined && !isDynamic(outputs) ? namesOf(outputs) : undefined,
    matrix: readMatrix(child(value, "strategy")),
  };
}

function readSteps(steps: Node | undefined): Steps {
  const nodes = itemsOf(steps);
  const ids = new Map<string, number>();
  for (const [index, node] of nodes.entries()) {
    const id = textOf(child(node, "id"))?.toLowerCase();
    if (id !== undefined && !ids.has(id)) ids.set(id, index);
  }
  return { nodes, ids };
}

function readMatrix(strategy: Node | undefined): Matrix | undefined {
  if (isDynamic(strategy)) return "any";
  const matrix = child(strategy, "matrix");
  if (matrix === undefined || isEmpty(matrix)) return undefined;
  if (matrix.kind !== "map") return "any";
  const members = new Map<string, Set<string> | undefined>();
  for (const { key, value } of matrix.entries) {
    if (key.text === "exclude") continue;
    if (key.text.includes("${{")) return "any";
    if (key.text === "include") {
      const included = addIncluded(value, members);
      if (!included) return "any";
    } else addValues(key.text, value.kind === "list" ? value.items : undefined, members);
  }
  return members;
}

/** Adds what `include` gives to combinations; returns false if it is known only when the workflow runs. */
function addIncluded(include: Node, members: Map<string, Set<string> | undefined>): boolean {
  if (include.kind !== "list") return false;
  for (const item of include.items) {
    if (item.kind !== "map") return false;
    for (const { key, value } of item.entries) addValues(key.text, [value], members);
  }
  return true;
}

function addValues(
  name: string,
  values: readonly Node[] | undefined,
  members: Map<string, Set<string> | undefined>,
): void {
  const key = name.toLowerCase();
  const isKnown = members.has(key);
  const before = members.get(key);
  // One value that is not known, or is no map, and nothing is known of the members.
  const known = values !== undefined && values.length > 0 && values.every(({ kind }) => kind === "map");
  if (!known || (isKnown && before === undefined)) {
    members.set(key, undefined);
    return;
  }
  const names = before ?? new Set<string>();
  for (const value of values)
    for (const entry of (value as MapNode).entries) names.add(entry.key.text.toLowerCase());
  members.set(key, names);
}
