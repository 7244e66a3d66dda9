import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { PageCall } from "../../../../catalog/call.ts";
import { type Input, isEmpty } from "../editor/input.ts";
import { Refusal } from "../tab/call.ts";
import { runOnServer } from "../tab/server-run.ts";
import type { Tab } from "../tab/tab.ts";
import { takesDocument } from "../tools/fields.ts";
import { type Outcome, readFile, toOutcome } from "../tools/runner.ts";
import type { PipelineStep } from "./step.ts";

/** Runs the steps of a pipeline, each on the result of the one before. */
export interface Chain {
  readonly isRunning: ReadonlySignal<boolean>;
  /** The step that waits for a click, because its tool runs on the server. */
  readonly waiting: ReadonlySignal<PipelineStep | undefined>;
  /** Runs all steps, also those of the server. */
  run(): void;
  stop(): void;
  close(): void;
}

type Result = string | Uint8Array<ArrayBuffer>;

/** The input of a step when it last ran; with an equal input, its result is the same. */
interface Given {
  document: Result | undefined;
  options: Readonly<Record<string, unknown>>;
}

/** A step that has run for so long is ended when there is newer input. */
const patienceMs = 2000;

/** @param root URL of the home page. */
export function createChain(
  input: Signal<Input>,
  steps: Signal<readonly PipelineStep[]>,
  tab: Tab,
  root: URL,
): Chain {
  const isRunning = signal(false);
  const waiting = signal<PipelineStep | undefined>(undefined);
  const given = new WeakMap<PipelineStep, Given>();
  let current: { abort: AbortController; startedAt: number } | undefined;
  let next: { withServer: boolean } | undefined;
  let timer = 0;

  /** Runs the newest steps; what came in between is never run. */
  async function run(withServer: boolean): Promise<void> {
    if (current !== undefined) {
      next = { withServer };
      clearTimeout(timer);
      const left = current.startedAt + patienceMs - performance.now();
      timer = window.setTimeout(() => next !== undefined && current?.abort.abort(), left);
      return;
    }
    const own = { abort: new AbortController(), startedAt: performance.now() };
    current = own;
    isRunning.value = true;
    await runSteps(withServer, own.abort.signal);
    current = undefined;
    isRunning.value = false;
    const newer = next;
    next = undefined;
    if (newer !== undefined) void run(newer.withServer);
  }

  async function runSteps(withServer: boolean, ended: AbortSignal): Promise<void> {
    const list = steps.peek();
    waiting.value = undefined;
    let at = 0;
    try {
      const [first] = list;
      const hasDocument = first !== undefined && takesDocument(first.tool.definition);
      if (hasDocument && isEmpty(input.peek())) return;
      let document: Result | undefined = hasDocument ? await toDocument(input.peek()) : undefined;
      for (const [index, step] of list.entries()) {
        at = index;
        if (next !== undefined) return;
        if (!isComplete(step)) return;
        const options = step.tool.options.peek();
        const before = given.get(step);
        const last = step.outcome.peek();
        const isKnown = before?.document === document && before?.options === options;
        if (!isKnown || last.kind === "none") {
          if (step.place === "server" && !withServer) {
            waiting.value = step;
            return;
          }
          if (document !== undefined) step.tool.input.value = toInput(document);
          step.outcome.value = await runStep(step, index, document, ended);
          given.set(step, { document, options });
        }
        const outcome = step.outcome.peek();
        at = index + 1;
        if (outcome.kind !== "answer") return;
        document = outcome.result;
      }
    } catch (error) {
      const step = list[at];
      if (step !== undefined && !isAbort(error)) step.outcome.value = toRefused(error);
      at++;
    } finally {
      // What follows a step that gave no result has none, either.
      if (next === undefined) for (const step of list.slice(at)) step.outcome.value = { kind: "none" };
    }
  }

  async function runStep(
    { tool: { definition, options }, place }: PipelineStep,
    index: number,
    document: Result | undefined,
    ended: AbortSignal,
  ): Promise<Outcome> {
    try {
      if (index > 0 && !takesDocument(definition))
        throw new Refusal(
          "invalid_input",
          `${definition.title} takes no document, so it can only be the first step.`,
        );
      const call: PageCall = { slug: definition.slug, form: "bytes", check: false, body: toBody() };
      return toOutcome(await (place === "server" ? runOnServer(root, call, ended) : tab.run(call, ended)));
    } catch (error) {
      if (isAbort(error)) throw error;
      return toRefused(error);
    }

    function toBody(): PageCall["body"] {
      const values = options.peek();
      if (document === undefined) return { kind: "input", input: values };
      if (typeof document === "string") return { kind: "input", input: { ...values, data: document } };
      return { kind: "raw", bytes: document, text: !definition.takesBytes, options: values };
    }
  }

  const endEffect = effect(() => {
    // Read here, so that each change runs the pipeline.
    void [input.value, ...steps.value.map(({ tool }) => tool.options.value)];
    void run(false);
  });

  return {
    isRunning,
    waiting,
    run: () => void run(true),
    stop() {
      next = undefined;
      current?.abort.abort();
    },
    close() {
      endEffect();
      next = undefined;
      current?.abort.abort();
    },
  };
}

const toDocument = (input: Input): Promise<Result> =>
  input.kind === "text" ? Promise.resolve(input.text) : readFile(input, "penknife run -p FILE.yaml");

export const toInput = (document: Result): Input =>
  typeof document === "string"
    ? { kind: "text", text: document }
    : { kind: "file", file: new Blob([document]), name: "result" };

const isComplete = ({ tool: { definition, options } }: PipelineStep): boolean =>
  (definition.input.required ?? []).every((name) => name === "data" || name in options.peek());

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

const toRefused = (error: unknown): Outcome => ({
  kind: "refusal",
  refusal: error instanceof Refusal ? error : new Refusal("internal", (error as Error).message),
});
