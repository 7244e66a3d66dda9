import type { JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { isSecret } from "../elsewhere/snippets.ts";
import { openToolList } from "../home/tool-list.ts";
import type { Tab } from "../tab/tab.ts";
import { download } from "../tools/download.ts";
import { type Act, useAct } from "../ui/act.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { maxFileBytes, readPipeline, toOptions, writePipeline } from "./file.ts";
import { forget, isName, keep, saved } from "./saved.ts";
import { openStep, type Pipeline, type PipelineStep } from "./step.ts";

export interface FileBarProps {
  pipeline: Pipeline;
  tab: Tab;
  root: URL;
  /** Shows how the pipeline is called elsewhere. */
  onElsewhere(): void;
}

/** The head of the page: opens a pipeline from this browser or from its file, and keeps it in either. */
export function FileBar({ pipeline, tab, root, onElsewhere }: FileBarProps): JSX.Element {
  const { steps, name } = pipeline;
  const bar = useRef<HTMLElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const { run, message } = useAct();
  const hintId = useId();
  const isNamed = isName(name.value);
  const isEmpty = steps.value.length === 0;
  const secrets = [
    ...new Set(
      steps.value.flatMap(({ tool: { definition, options } }) =>
        Object.keys(options.value).filter((option) => isSecret(definition, option)),
      ),
    ),
  ];

  const files = toFiles({ pipeline, tab, root }, run, secrets);
  useDrop(bar, files.openFile);

  return (
    <section aria-label="Pipeline" class="pipe-head" ref={bar}>
      <input
        type="text"
        aria-label="Name"
        aria-describedby={hintId}
        aria-invalid={!isNamed}
        autocomplete="off"
        spellcheck={false}
        value={name.value}
        onInput={({ currentTarget }) => (name.value = currentTarget.value)}
      />
      <span class={isNamed ? "hint cut" : "hint bad"} id={hintId}>
        {isNamed ? ".yaml" : "A name has lower-case letters and digits, in words joined by hyphens."}
      </span>
      <span class="buttons end">
        <Menu
          label="Open a pipeline"
          items={[
            ...saved.value.map(({ name: base, text }) => ({
              text: base,
              icon: "pipelines",
              hint: "in this browser",
              act: () => void files.open(base, () => Promise.resolve(text)),
            })),
            { text: "From a file …", icon: "file", act: () => chooser.current?.click() },
          ]}
        >
          <Icon name="file" /> Open
        </Menu>
        <button
          type="button"
          class="quiet small"
          aria-disabled={isEmpty}
          onClick={() => !isEmpty && onElsewhere()}
        >
          <Icon name="format" /> Use it elsewhere
        </button>
        <Menu
          label="More for the pipeline"
          class="quiet only small"
          isIcon
          isAtEnd
          items={[
            {
              text: "Save as a file",
              icon: "download",
              act: () => void (isNamed && !isEmpty && files.saveFile()),
            },
            { text: "Remove all steps", icon: "delete", isDanger: true, act: files.clear },
            ...(saved.value.some((one) => one.name === name.value)
              ? [
                  {
                    text: `Forget ${name.value} in this browser`,
                    icon: "close",
                    isDanger: true,
                    act: () => void files.forget(),
                  },
                ]
              : []),
          ]}
        >
          <Icon name="more" />
        </Menu>
        <button
          type="button"
          class="primary small"
          aria-disabled={!isNamed || isEmpty}
          title={isEmpty ? "There are no steps yet." : undefined}
          onClick={() => isNamed && !isEmpty && void files.save()}
        >
          Save
        </button>
      </span>
      <input
        ref={chooser}
        type="file"
        accept=".yaml,.yml"
        hidden
        aria-label="File of a pipeline"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) void files.openFile(file);
          currentTarget.value = "";
        }}
      />
      {secrets.length === 0 ? null : (
        <p class="notice">
          A file contains a secret as it is: {secrets.join(", ")}. This browser keeps none.
        </p>
      )}
      <p role="alert" class={message.value === "" ? undefined : "banner bad"}>
        <bdi>{message.value}</bdi>
      </p>
    </section>
  );
}

interface Files {
  open(base: string, read: () => Promise<string>): Promise<boolean>;
  openFile(file: File): Promise<boolean>;
  /** Keeps the pipeline in this browser. */
  save(): Promise<boolean>;
  saveFile(): Promise<boolean>;
  forget(): Promise<boolean>;
  clear(): void;
}

/** Returns the actions on the whole pipeline. `secrets` are the options that this browser does not keep. */
function toFiles(
  { pipeline, tab, root }: Omit<FileBarProps, "onElsewhere">,
  run: Act["run"],
  secrets: readonly string[],
): Files {
  const { steps, name, more, news } = pipeline;

  const open: Files["open"] = (base, read) =>
    run(async () => {
      const list = await openToolList(root);
      const found = await readPipeline(await read(), tab, list);
      const opened: PipelineStep[] = [];
      for (const [index, { tool, with: given }] of found.steps.entries()) {
        const step = await openStep(root, tab, tool);
        step.tool.options.value = toOptions(step.tool.definition, given, `steps[${index}]`);
        opened.push(step);
      }
      steps.value = opened;
      more.value = found.more;
      name.value = base;
      news.value = `${base}: ${opened.length} ${opened.length === 1 ? "step" : "steps"}.`;
    });

  return {
    open,
    openFile: (file) =>
      open(file.name.replace(/\.ya?ml$/i, ""), () => {
        if (file.size > maxFileBytes)
          throw new Error(
            `${file.name} has ${file.size} bytes; the file of a pipeline has at most ${maxFileBytes}.`,
          );
        return file.text();
      }),
    save: () =>
      run(async () => {
        const text = await writePipeline(steps.peek(), more.peek(), tab, isSecret);
        keep({ name: name.peek(), text });
        const without = secrets.length === 0 ? "" : `, without its secrets: ${secrets.join(", ")}`;
        news.value = `Saved in this browser as ${name.peek()}${without}.`;
      }),
    saveFile: () =>
      run(async () => {
        download(`${name.peek()}.yaml`, await writePipeline(steps.peek(), more.peek(), tab));
        news.value = `Saved as ${name.peek()}.yaml.`;
      }),
    forget: () => run(() => Promise.resolve(forget(name.peek()))),
    clear() {
      steps.value = [];
      more.value = {};
      name.value = "pipeline";
      news.value = "All steps are removed.";
    },
  };
}

/** Opens a file that is dropped anywhere but on the input, which takes documents. */
function useDrop(bar: { readonly current: Element | null }, openFile: Files["openFile"]): void {
  const newest = useRef(openFile);
  newest.current = openFile;
  useEffect(() => {
    const place = bar.current?.closest("main");
    const onDrop = (event: DragEvent): void => {
      const file = event.dataTransfer?.files[0];
      if (file === undefined || event.defaultPrevented || bar.current?.isConnected !== true) return;
      event.preventDefault();
      void newest.current(file);
    };
    const allow = (event: DragEvent): void => event.preventDefault();
    place?.addEventListener("dragover", allow);
    place?.addEventListener("drop", onDrop);
    return () => {
      place?.removeEventListener("dragover", allow);
      place?.removeEventListener("drop", onDrop);
    };
  }, []);
}
