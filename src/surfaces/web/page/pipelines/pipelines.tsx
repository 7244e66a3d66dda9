import { useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Editor, type EditorHandle } from "../editor/editor.tsx";
import { type Input, noInput } from "../editor/input.ts";
import { describeFound, openToolList, type ToolList } from "../home/tool-list.ts";
import { openTab, type Tab } from "../tab/tab.ts";
import { takesDocument } from "../tools/fields.ts";
import { useAct } from "../ui/act.ts";
import { type Choice, Combobox } from "../ui/combobox.tsx";
import { Copyable } from "../ui/copyable.tsx";
import { type Chain, createChain } from "./chain.ts";
import { FileBar } from "./file-bar.tsx";
import { toPipelineSnippets } from "./snippets.ts";
import { StepList } from "./step-list.tsx";
import { maxSteps, openStep, type Pipeline, type PipelineStep } from "./step.ts";

/** Fills the page on which a person puts tools together. */
export function show(place: Element, root: URL): void {
  render(<Pipelines root={root} />, place);
}

function Pipelines({ root }: { root: URL }): JSX.Element {
  const tab = useMemo(() => openTab(root), []);
  const pipeline: Pipeline = {
    steps: useSignal<readonly PipelineStep[]>([]),
    input: useSignal<Input>(noInput),
    name: useSignal("pipeline"),
    more: useSignal({}),
    news: useSignal(""),
  };
  const { steps, input, name, news } = pipeline;
  const chain = useMemo(() => createChain(input, steps, tab, root), []);
  useEffect(() => chain.close, []);
  const editor = useRef<EditorHandle | null>(null);
  const [first] = steps.value;
  const calls = steps.value.map(({ tool: { definition, options } }) => ({
    definition,
    options: options.value,
  }));
  const hasDocument = first === undefined || takesDocument(first.tool.definition);
  const url = root.href.replace(/\/$/, "");

  return (
    <div class="tool">
      <FileBar pipeline={pipeline} tab={tab} root={root} />
      {hasDocument ? (
        <Editor label="Input" value={input} handle={editor} rows={6} onSubmit={chain.run} />
      ) : null}
      <h2>Steps</h2>
      <StepList pipeline={pipeline} onGoTo={(line, column) => editor.current?.goTo(line, column)} />
      <AddStep pipeline={pipeline} tab={tab} root={root} />
      <RunBar pipeline={pipeline} chain={chain} />
      <p class="hint" role="status">
        {news.value}
      </p>
      {first === undefined ? null : (
        <details>
          <summary>Use it elsewhere</summary>
          <p class="hint">
            The document is in the file data.txt. In the call over HTTP, secrets are environment variables.
          </p>
          {toPipelineSnippets(calls, name.value, url).map(({ title, text }) => (
            <Copyable title={title} key={title}>
              {text}
            </Copyable>
          ))}
        </details>
      )}
    </div>
  );
}

interface AddStepProps {
  pipeline: Pipeline;
  tab: Tab;
  root: URL;
}

const maxChoices = 6;

function AddStep({ pipeline: { steps, news }, tab, root }: AddStepProps): JSX.Element {
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
    <section aria-labelledby="add">
      <h3 id="add">Add a step</h3>
      <Combobox
        label="Tool of the new step"
        listLabel="Tools that fit"
        find={find}
        onChoose={({ key }) => void add(key)}
        message={failure.value}
        describe={(words) => describeFound(list.value, words)}
        keys="Type the name of a tool; arrow keys choose, Enter adds it."
      />
      <p role="alert">{message.value}</p>
    </section>
  );
}

function RunBar({ pipeline: { steps }, chain }: { pipeline: Pipeline; chain: Chain }): JSX.Element {
  const isRunning = chain.isRunning.value;
  const isSlow = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (isSlow.value = isRunning), isRunning ? 300 : 0);
    return () => clearTimeout(timer);
  }, [isRunning]);
  const remote = steps.value.filter(({ place }) => place === "server");
  return (
    <div class="run-bar">
      <button type="button" class="primary" onClick={chain.run}>
        Run
      </button>
      <button type="button" aria-disabled={!isSlow.value} onClick={chain.stop}>
        Stop
      </button>
      <p class="hint">
        {remote.length === 0
          ? "Runs in this tab while you type; nothing leaves the browser."
          : `${remote.map(({ tool }) => tool.definition.title).join(" and ")} ${remote.length === 1 ? "runs" : "run"} on the server, at the press of Run: each such step receives the result of the step before and counts as a request.`}
        {chain.waiting.value === undefined
          ? ""
          : ` ${chain.waiting.value.tool.definition.title} waits for Run.`}
      </p>
    </div>
  );
}
