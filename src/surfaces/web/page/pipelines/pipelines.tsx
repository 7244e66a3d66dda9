import { useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Editor, type EditorHandle } from "../editor/editor.tsx";
import { type Input, noInput, type PipelineStart } from "../editor/input.ts";
import { describeFound, openToolList, type ToolList } from "../home/tool-list.ts";
import { openTab, type Tab } from "../tab/tab.ts";
import { takesDocument } from "../tools/fields.ts";
import { useAct } from "../ui/act.ts";
import { type Choice, Combobox } from "../ui/combobox.tsx";
import { Copyable } from "../ui/copyable.tsx";
import { Drawer } from "../ui/drawer.tsx";
import { Icon } from "../ui/icon.tsx";
import { type Chain, createChain } from "./chain.ts";
import { FileBar } from "./file-bar.tsx";
import { createFitting } from "./fitting.ts";
import { toPipelineSnippets } from "./snippets.ts";
import { StepList } from "./step-list.tsx";
import { maxSteps, openStep, type Pipeline, type PipelineStep } from "./step.ts";

/** Fills the page on which a person puts tools together. @param start What another page hands over. */
export function show(place: Element, root: URL, start?: PipelineStart): void {
  render(<Pipelines root={root} start={start} />, place);
}

function Pipelines({ root, start }: { root: URL; start: PipelineStart | undefined }): JSX.Element {
  const tab = useMemo(() => openTab(root), []);
  const pipeline: Pipeline = {
    steps: useSignal<readonly PipelineStep[]>([]),
    input: useSignal<Input>(start?.input ?? noInput),
    name: useSignal("pipeline"),
    more: useSignal({}),
    news: useSignal(""),
  };
  const { steps, input, name } = pipeline;
  const chain = useMemo(() => createChain(input, steps, tab, root), []);
  useEffect(() => chain.close, []);
  useEffect(() => {
    if (start !== undefined) void begin(pipeline, tab, root, start);
  }, []);
  const editor = useRef<EditorHandle | null>(null);
  const [first] = steps.value;
  const calls = steps.value.map(({ tool: { definition, options } }) => ({
    definition,
    options: options.value,
  }));
  const hasDocument = first === undefined || takesDocument(first.tool.definition);
  const url = root.href.replace(/\/$/, "");

  const isElsewhere = useSignal(false);

  return (
    <>
      <FileBar
        pipeline={pipeline}
        tab={tab}
        root={root}
        onElsewhere={() => (isElsewhere.value = !isElsewhere.value)}
      />
      <div class="pipe-panes">
        <section class="pipe-input" aria-label="Input of the pipeline">
          {hasDocument ? (
            <Editor label="Input" value={input} handle={editor} onSubmit={chain.run} />
          ) : (
            <p class="hint">The first step takes no document.</p>
          )}
        </section>
        <section class="pipe-steps" aria-label="Steps">
          <StepList pipeline={pipeline} onGoTo={(line, column) => editor.current?.goTo(line, column)} />
          <AddStep pipeline={pipeline} tab={tab} root={root} />
        </section>
      </div>
      <RunBar pipeline={pipeline} chain={chain} />
      {first === undefined || !isElsewhere.value ? null : (
        <Drawer title="Use it elsewhere" onClose={() => (isElsewhere.value = false)}>
          <p class="hint">
            The document is in the file data.txt. In the call over HTTP, secrets are environment variables.
          </p>
          {toPipelineSnippets(calls, name.value, url).map(({ title, text }) => (
            <Copyable title={title} key={title}>
              {text}
            </Copyable>
          ))}
        </Drawer>
      )}
    </>
  );
}

/** Makes a tool the first step. */
async function begin(
  { steps, news }: Pipeline,
  tab: Tab,
  root: URL,
  { slug, options }: PipelineStart,
): Promise<void> {
  try {
    const step = await openStep(root, tab, slug);
    step.tool.options.value = { ...options };
    steps.value = [step];
    news.value = `${step.tool.definition.title} is step 1.`;
  } catch (error) {
    news.value = (error as Error).message;
  }
}

interface AddStepProps {
  pipeline: Pipeline;
  tab: Tab;
  root: URL;
}

const maxChoices = 6;

function AddStep({ pipeline: { steps, input, news }, tab, root }: AddStepProps): JSX.Element {
  const fitting = useMemo(() => createFitting(input, steps, tab), []);
  useEffect(() => fitting.close, []);
  const list = useSignal<ToolList | undefined>(undefined);
  const failure = useSignal("");
  const { run, message } = useAct();

  useEffect(() => {
    openToolList(root).then(
      (found) => (list.value = found),
      (error: unknown) => (failure.value = (error as Error).message),
    );
  }, []);

  const add = (slug: string): Promise<boolean> =>
    run(async () => {
      const step = await openStep(root, tab, slug);
      if (steps.peek().length >= maxSteps) throw new Error(`A pipeline has at most ${maxSteps} steps.`);
      steps.value = [...steps.peek(), step];
      news.value = `${step.tool.definition.title} is step ${steps.value.length}.`;
    });

  const find = (words: string): readonly Choice[] =>
    words.trim() === ""
      ? []
      : (list.value?.find(words.trim().toLowerCase()) ?? [])
          .slice(0, maxChoices)
          .map(({ tool: { slug, title, summary } }) => ({ key: slug, title, summary }));

  return (
    <section class="add-step" aria-label="Add a step">
      <Combobox
        label="Tool of the new step"
        listLabel="Tools that fit"
        find={find}
        onChoose={({ key }) => void add(key)}
        message={failure.value}
        placeholder="Add a step: a tool, or what it does"
        describe={(words) => describeFound(list.value, words)}
        keys="Type the name of a tool; arrow keys choose, Enter adds it."
      />
      {fitting.tools.value.length === 0 ? null : (
        <p class="buttons">
          <span class="muted small">{steps.value.length === 0 ? "Fits the input:" : "Fits the result:"}</span>
          {fitting.tools.value.map((slug) => (
            <button type="button" class="small chip" key={slug} onClick={() => void add(slug)}>
              {list.value?.titleOf(slug) ?? slug}
            </button>
          ))}
        </p>
      )}
      <p role="alert">{message.value}</p>
    </section>
  );
}

function RunBar({ pipeline: { steps, news }, chain }: { pipeline: Pipeline; chain: Chain }): JSX.Element {
  const isRunning = chain.isRunning.value;
  const isSlow = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (isSlow.value = isRunning), isRunning ? 300 : 0);
    return () => clearTimeout(timer);
  }, [isRunning]);
  const remote = steps.value.filter(({ place }) => place === "server");
  const waiting = chain.waiting.value?.tool.definition.title;
  return (
    <div class="run-bar">
      {remote.length === 0 ? null : (
        <button type="button" class="primary small" onClick={chain.run}>
          <Icon name="run" /> Run
        </button>
      )}
      {isSlow.value ? (
        <button type="button" class="small" onClick={chain.stop}>
          <Icon name="stop" /> Stop
        </button>
      ) : null}
      <span class="muted small">
        <Icon name={remote.length === 0 ? "shield" : "server"} />{" "}
        {remote.length === 0
          ? "In this tab: nothing leaves"
          : `${remote.map(({ tool }) => tool.definition.title).join(" and ")} ${remote.length === 1 ? "runs" : "run"} on the server, at the press of Run: each such step receives the result of the step before and counts as a request.`}
        {waiting === undefined ? "" : ` ${waiting} waits for Run.`}
      </span>
      <span class="muted small" role="status">
        {news.value}
      </span>
      <span class="muted small end">
        <kbd>Alt ↑</kbd> <kbd>Alt ↓</kbd> <span class="wide-only">move a step</span>
      </span>
    </div>
  );
}
