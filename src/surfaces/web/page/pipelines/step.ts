import { type Signal, signal } from "@preact/signals";
import { type Input, noInput } from "../editor/input.ts";
import type { Tab } from "../tab/tab.ts";
import type { Definition } from "../tools/definition.ts";
import { createCallInTab, type Outcome } from "../tools/runner.ts";
import type { ToolState } from "../tools/state.ts";
import type { ViewProps } from "../views/view.ts";

/** A tool of a pipeline with its options and, when it ran, its result. */
export interface PipelineStep {
  /** Stays the same when the step is moved. */
  readonly id: number;
  /** Its input is what the step was last given: the result of the one before. */
  readonly tool: ToolState;
  readonly outcome: Signal<Outcome>;
  readonly place: "tab" | "server";
  /** As `ViewProps` says. */
  readonly callInTab: ViewProps["callInTab"];
}

/** The state of the page. */
export interface Pipeline {
  readonly steps: Signal<readonly PipelineStep[]>;
  readonly input: Signal<Input>;
  /** Names the file, without its ending. */
  readonly name: Signal<string>;
  /** The members of the opened file besides its steps. */
  readonly more: Signal<Readonly<Record<string, unknown>>>;
  /** The last event, for screen readers too. */
  readonly news: Signal<string>;
}

/** As src/catalog/pipeline.ts. */
export const maxSteps = 20;

let lastId = 0;

function toStep(definition: Definition, tab: Tab, place: "tab" | "server"): PipelineStep {
  const tool = { definition, options: signal({}), input: signal(noInput), check: signal(false) };
  return {
    id: ++lastId,
    tool,
    outcome: signal<Outcome>({ kind: "none" }),
    place,
    callInTab: place === "tab" ? createCallInTab(tool, tab) : undefined,
  };
}

const definitions = new Map<string, Promise<Definition>>();

/**
 * Returns the definition of a tool, which is fetched once.
 * @param slug A tool that the server lists: the text of a stranger must not become a path.
 */
function fetchDefinition(root: URL, slug: string): Promise<Definition> {
  const known = definitions.get(slug) ?? fetchOnce(root, slug);
  definitions.set(slug, known);
  known.catch(() => definitions.delete(slug));
  return known;
}

async function fetchOnce(root: URL, slug: string): Promise<Definition> {
  const response = await fetch(new URL(`web/tools/${slug}`, root), { credentials: "omit" });
  if (!response.ok) throw new Error("The server no longer has a part of this page. Load the page again.");
  return (await response.json()) as Definition;
}

/** @param slug A tool that the server lists. @throws Error if it is no tool for a step. */
export async function openStep(root: URL, tab: Tab, slug: string): Promise<PipelineStep> {
  const definition = await fetchDefinition(root, slug);
  if (definition.steps !== undefined)
    throw new Error(
      `${slug} is a pipeline, which cannot be a step. Add its tools: ${definition.steps.join(", ")}.`,
    );
  return toStep(definition, tab, (await tab.canRun(slug)) ? "tab" : "server");
}
