import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { isSecret } from "../elsewhere/snippets.ts";
import { openToolList } from "../home/tool-list.ts";
import type { Tab } from "../tab/tab.ts";
import { download } from "../tools/download.ts";
import { useAct } from "../ui/act.ts";
import { Field } from "../ui/field.tsx";
import { maxFileBytes, readPipeline, toOptions, writePipeline } from "./file.ts";
import { openStep, type Pipeline, type PipelineStep } from "./step.ts";

export interface FileBarProps {
  pipeline: Pipeline;
  tab: Tab;
  root: URL;
}

/** Opens a pipeline from its file, and saves it as one. */
export function FileBar({ pipeline, tab, root }: FileBarProps): JSX.Element {
  const { steps, name, more, news } = pipeline;
  const chooser = useRef<HTMLInputElement>(null);
  const { run, message } = useAct();
  const isNamed = /^[a-z\d]+(?:-[a-z\d]+)*$/.test(name.value);
  const secrets = steps.value.flatMap(({ tool: { definition, options } }) =>
    Object.keys(options.value).filter((option) => isSecret(definition, option)),
  );

  const open = (file: File): Promise<boolean> =>
    run(async () => {
      if (file.size > maxFileBytes)
        throw new Error(
          `${file.name} has ${file.size} bytes; the file of a pipeline has at most ${maxFileBytes}.`,
        );
      const list = await openToolList(root);
      const found = await readPipeline(await file.text(), tab, list);
      const opened: PipelineStep[] = [];
      for (const [index, { tool, with: given }] of found.steps.entries()) {
        const step = await openStep(root, tab, tool);
        step.tool.options.value = toOptions(step.tool.definition, given, `steps[${index}]`);
        opened.push(step);
      }
      steps.value = opened;
      more.value = found.more;
      const base = file.name.replace(/\.ya?ml$/i, "");
      name.value = base;
      news.value = `${base}: ${opened.length} ${opened.length === 1 ? "step" : "steps"}.`;
    });

  const save = (): Promise<boolean> =>
    run(async () => {
      download(`${name.peek()}.yaml`, await writePipeline(steps.peek(), more.peek(), tab));
      news.value = `Saved as ${name.peek()}.yaml.`;
    });

  const clear = (): void => {
    steps.value = [];
    more.value = {};
    name.value = "pipeline";
    news.value = "All steps are removed.";
  };

  return (
    <section
      aria-label="File"
      class="file"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const file = event.dataTransfer?.files[0];
        if (file === undefined) return;
        event.preventDefault();
        void open(file);
      }}
    >
      <p class="actions">
        <button type="button" onClick={() => chooser.current?.click()}>
          Open a pipeline
        </button>
        <button
          type="button"
          aria-disabled={!isNamed || steps.value.length === 0}
          onClick={() => isNamed && steps.peek().length > 0 && void save()}
        >
          Save
        </button>
        <button type="button" aria-disabled={steps.value.length === 0} onClick={clear}>
          Remove all steps
        </button>
        <input
          ref={chooser}
          type="file"
          accept=".yaml,.yml"
          hidden
          aria-label="File of a pipeline"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) void open(file);
            currentTarget.value = "";
          }}
        />
      </p>
      <Field
        label="Name"
        hint={
          isNamed
            ? `Saved as ${name.value}.yaml. In the server's folder pipelines it becomes a tool; penknife run -p runs it as it is.`
            : "A name has lower-case letters and digits, in words joined by hyphens."
        }
      >
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={name.value}
            onInput={({ currentTarget }) => (name.value = currentTarget.value)}
          />
        )}
      </Field>
      {secrets.length === 0 ? null : (
        <p class="notice">The saved file contains a secret as it is: {[...new Set(secrets)].join(", ")}.</p>
      )}
      <p role="alert">
        <bdi>{message.value}</bdi>
      </p>
    </section>
  );
}
