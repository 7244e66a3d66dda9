import { useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { Editor, type EditorHandle } from "../editor/editor.tsx";
import type { Handed, Input } from "../editor/input.ts";
import type { Mark } from "../editor/marks.ts";
import { Elsewhere } from "../elsewhere/elsewhere.tsx";
import { favourites, remember, toggleFavourite } from "../home/history.ts";
import { openTool } from "../home/open-tool.ts";
import { openTab } from "../tab/tab.ts";
import type { Definition } from "./definition.ts";
import { optionsOf, takesDocument } from "./fields.ts";
import { toLink, toLinkWithDocuments } from "./link.ts";
import { OptionField } from "./option-field.tsx";
import { isInDocument, Result } from "./result.tsx";
import { createRunner, type Outcome, type Runner } from "./runner.ts";
import { createState, type ToolState } from "./state.ts";

/** Fills the page of a tool. @param handed What another page hands over. */
export function show(place: Element, root: URL, handed?: Handed): void {
  const definition = JSON.parse((place as HTMLElement).dataset["tool"] ?? "") as Definition;
  remember(definition.slug);
  const address = new URL(location.href);
  // A document that came in the fragment does not stay in the history of the browser.
  if (address.hash !== "") history.replaceState(history.state, "", address.pathname + address.search);
  render(<ToolPage definition={definition} root={root} address={address} handed={handed} />, place);
}

interface ToolPageProps {
  definition: Definition;
  root: URL;
  address: URL;
  handed: Handed | undefined;
}

function ToolPage({ definition, root, address, handed }: ToolPageProps): JSX.Element {
  const state = useMemo(() => createState(definition, address, handed), []);
  const runner = useMemo(() => createRunner(state, openTab(root), root), []);
  useEffect(() => runner.close, []);
  const editor = useRef<EditorHandle | null>(null);
  const goTo = (line: number, column: number): void => editor.current?.goTo(line, column);
  const options = optionsOf(definition);
  const outcome = runner.outcome.value;
  const marks = useMemo(() => marksOf(outcome), [outcome]);

  return (
    <div class="tool">
      <p class="actions">
        <Favourite slug={definition.slug} />
        <CopyLink state={state} root={root} />
      </p>
      <Examples state={state} />
      {takesDocument(definition) ? (
        <Editor
          label={definition.accepts === undefined ? "Input" : `Input: ${definition.accepts}`}
          value={state.input}
          handle={editor}
          marks={marks}
          onSubmit={runner.run}
        />
      ) : null}
      <RunBar state={state} runner={runner} />
      {options.length === 0 ? null : (
        <details open={options.some(([, , isRequired]) => isRequired) || options.length < 4}>
          <summary>Options</summary>
          <div class="options">
            {options.map(([name, schema, isRequired]) => (
              <OptionField state={state} name={name} schema={schema} isRequired={isRequired} key={name} />
            ))}
          </div>
        </details>
      )}
      <section aria-label="Result" aria-live="polite" aria-busy={runner.isRunning.value} class="outcome">
        <Result
          definition={definition}
          outcome={outcome}
          onGoTo={goTo}
          onReuse={(text) => (state.input.value = { kind: "text", text })}
        />
      </section>
      <Elsewhere state={state} root={root} />
      {definition.inverse === undefined ? null : (
        <Swap slug={definition.inverse} outcome={outcome} root={root} />
      )}
    </div>
  );
}

/** Opens the tool that undoes this one, with the result as its document. */
function Swap({ slug, outcome, root }: { slug: string; outcome: Outcome; root: URL }): JSX.Element {
  const result = outcome.kind === "answer" ? outcome.result : "";
  const input: Input =
    typeof result === "string"
      ? { kind: "text", text: result }
      : { kind: "file", file: new Blob([result]), name: "result" };
  return (
    <p class="actions">
      <button
        type="button"
        onClick={() => void openTool(root, slug, { input, options: {} }, () => ({ show }))}
      >
        Swap: {slug} with this result
      </button>
    </p>
  );
}

/** Returns the places in the document of what a tool said. */
function marksOf(outcome: Outcome): readonly Mark[] {
  if (outcome.kind === "answer") return outcome.report?.errors ?? [];
  if (outcome.kind === "none") return [];
  const { message, places } = outcome.refusal;
  return places
    .filter(isInDocument)
    .map(({ line = 1, column = 1 }) => ({ line, column, message, severity: "error" as const }));
}

/** Copies a link to this tool with its options. Documents are in it if the person asks for that, a secret never. */
function CopyLink({ state, root }: { state: ToolState; root: URL }): JSX.Element {
  const text = useRef<HTMLSpanElement>(null);
  const input = state.input.value;
  const whole = input.kind === "text" ? toLinkWithDocuments(state, root, input.text)?.href : undefined;
  return (
    <>
      <CopyButton label="Copy link" title="Link to this tool with its options" source={() => text.current} />
      <span ref={text} class="unseen">
        {toLink(state, root).href}
      </span>
      {whole === undefined ? null : (
        <CopyButton
          label="Copy link with the input"
          title="Link to this tool with its options and the input"
          source={() => text.current}
          text={() => whole}
        />
      )}
    </>
  );
}

function Favourite({ slug }: { slug: string }): JSX.Element {
  const isOne = favourites.value.includes(slug);
  return (
    <button type="button" aria-pressed={isOne} onClick={() => toggleFavourite(slug)}>
      {isOne ? "★ Favourite" : "☆ Favourite"}
    </button>
  );
}

/** Where the tool runs, and what starts and stops it. */
function RunBar({ state: { definition, check }, runner }: { state: ToolState; runner: Runner }): JSX.Element {
  const place = runner.place.value;
  const isSlow = useSignal(false);
  const isRunning = runner.isRunning.value;
  useEffect(() => {
    // A button that appears for some milliseconds at each keystroke would only flicker.
    const timer = setTimeout(() => (isSlow.value = isRunning), isRunning ? 300 : 0);
    return () => clearTimeout(timer);
  }, [isRunning]);
  return (
    <div class="run-bar">
      <button type="button" class="primary" onClick={runner.run}>
        {takesDocument(definition) ? "Run" : "Generate"}
      </button>
      <button type="button" aria-disabled={!isSlow.value} onClick={runner.stop}>
        Stop
      </button>
      {definition.checkable ? (
        <label class="check">
          <input
            type="checkbox"
            checked={check.value}
            onChange={({ currentTarget }) => (check.value = currentTarget.checked)}
          />
          <span>Check only</span>
        </label>
      ) : null}
      <p class="hint">{describePlace(place, definition)}</p>
    </div>
  );
}

/** @param place Undefined as long as the browser is not known to have what the tool needs. */
function describePlace(place: "tab" | "server" | undefined, { anonymous, runsInTab }: Definition): string {
  if (place === "tab" || (place === undefined && runsInTab))
    return "Runs in this tab; nothing leaves the browser.";
  const counted = "This tool runs on the server, at the press of the button, and counts as a request.";
  return anonymous ? counted : `${counted} It needs a key of yours: sign in first, or call it over HTTP.`;
}

function Examples({ state: { definition, options, input } }: { state: ToolState }): JSX.Element {
  return (
    <details>
      <summary>Examples</summary>
      <p class="actions examples">
        {definition.examples.map(({ title, input: given }, index) => (
          <button
            type="button"
            key={index}
            onClick={() => {
              const { data, ...rest } = given;
              options.value = rest;
              if (typeof data === "string") input.value = { kind: "text", text: data };
            }}
          >
            {title ?? `Example ${index + 1}`}
          </button>
        ))}
      </p>
    </details>
  );
}
