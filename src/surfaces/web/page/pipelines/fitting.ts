import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { detect } from "../home/detect.ts";
import { type Input, isEmpty } from "../editor/input.ts";
import type { Tab } from "../tab/tab.ts";
import { toInput } from "./chain.ts";
import type { PipelineStep } from "./step.ts";

/** The tools that fit what the last step gave. */
export interface Fitting {
  readonly tools: ReadonlySignal<readonly string[]>;
  close(): void;
}

const maxTools = 4;
/** Results come with each key that is typed. */
const pauseMs = 400;

/** Finds what fits the last result, or the input as long as there are no steps. Nothing leaves the tab. */
export function createFitting(
  input: Signal<Input>,
  steps: Signal<readonly PipelineStep[]>,
  tab: Tab,
): Fitting {
  const tools = signal<readonly string[]>([]);
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function find(document: Input): Promise<void> {
    running?.abort();
    const own = new AbortController();
    running = own;
    try {
      const offers = await detect(tab, document, own.signal);
      const fitting = offers.filter(
        (offer) => offer.field === "data" && offer.part === null && offer.steps.length === 1,
      );
      if (!own.signal.aborted) tools.value = [...new Set(fitting.map(({ tool }) => tool))].slice(0, maxTools);
    } catch {
      // Nothing is offered then: people find tools by their names.
      if (!own.signal.aborted) tools.value = [];
    }
  }

  const endEffect = effect(() => {
    const last = steps.value.at(-1)?.outcome.value;
    const document =
      steps.value.length === 0 ? input.value : last?.kind === "answer" ? toInput(last.result) : undefined;
    clearTimeout(timer);
    if (document === undefined || isEmpty(document)) {
      running?.abort();
      tools.value = [];
      return;
    }
    timer = setTimeout(() => void find(document), pauseMs);
  });

  return {
    tools,
    close() {
      endEffect();
      clearTimeout(timer);
      running?.abort();
    },
  };
}
