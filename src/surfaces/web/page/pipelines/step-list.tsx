import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { optionsOf } from "../tools/fields.ts";
import { OptionField } from "../tools/option-field.tsx";
import { Result } from "../tools/result.tsx";
import type { Outcome } from "../tools/runner.ts";
import type { Pipeline, PipelineStep } from "./step.ts";

export interface StepListProps {
  pipeline: Pipeline;
  /** Shows a place in the input. */
  onGoTo(line: number, column: number): void;
}

/** The steps, each with its options and its result; they are moved by buttons, by Alt with an arrow key, and by dragging. */
export function StepList({ pipeline, onGoTo }: StepListProps): JSX.Element {
  const { steps, input, news } = pipeline;
  const dragged = useRef<number | undefined>(undefined);
  const target = useSignal(-1);
  /** The button that keeps the focus when its step has moved, because browsers take it from an element that moves. */
  const focused = useRef<HTMLElement | null>(null);
  const list = steps.value;

  useLayoutEffect(() => {
    focused.current?.focus();
    focused.current = null;
  });

  function move(from: number, to: number): void {
    const step = list[from];
    if (step === undefined || from === to || to < 0 || to >= list.length) return;
    focused.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    steps.value = list.toSpliced(from, 1).toSpliced(to, 0, step);
    news.value = `${step.tool.definition.title} is now step ${to + 1} of ${list.length}.`;
  }

  function remove(at: number): void {
    const step = list[at];
    if (step === undefined) return;
    steps.value = list.toSpliced(at, 1);
    news.value = `${step.tool.definition.title} is removed.`;
    document.querySelector<HTMLElement>("[role=combobox]")?.focus();
  }

  if (list.length === 0)
    return (
      <p class="hint">No steps yet. The first receives the input, each other the result of the one before.</p>
    );
  return (
    <ol class="steps">
      {list.map((step, index) => (
        <li
          key={step.id}
          class={target.value === index ? "step over" : "step"}
          onKeyDown={(event) => {
            const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
            if (by === undefined || !event.altKey) return;
            event.preventDefault();
            move(index, index + by);
          }}
          onDragOver={(event) => {
            if (dragged.current === undefined) return;
            event.preventDefault();
            target.value = index;
          }}
          onDrop={(event) => {
            if (dragged.current === undefined) return;
            event.preventDefault();
            move(dragged.current, index);
          }}
        >
          <div
            class="step-head"
            draggable
            onDragStart={(event) => {
              dragged.current = index;
              event.dataTransfer?.setData("text/plain", step.tool.definition.slug);
            }}
            onDragEnd={() => {
              dragged.current = undefined;
              target.value = -1;
            }}
          >
            <h3>
              {index + 1}. {step.tool.definition.title}
            </h3>
            <span class="buttons">
              <button type="button" aria-disabled={index === 0} onClick={() => move(index, index - 1)}>
                Move up <OfStep number={index + 1} />
              </button>
              <button
                type="button"
                aria-disabled={index === list.length - 1}
                onClick={() => move(index, index + 1)}
              >
                Move down <OfStep number={index + 1} />
              </button>
              <button type="button" onClick={() => remove(index)}>
                Remove <OfStep number={index + 1} />
              </button>
            </span>
          </div>
          <Options step={step} number={index + 1} />
          <section aria-label={`Result of step ${index + 1}`}>
            {index < list.length - 1 ? (
              <Passed step={step} number={index + 1} />
            ) : (
              <Result
                definition={step.tool.definition}
                outcome={step.outcome.value}
                onGoTo={index === 0 ? onGoTo : undefined}
                onReuse={(text) => (input.value = { kind: "text", text })}
              />
            )}
          </section>
        </li>
      ))}
    </ol>
  );
}

/** Tells screen readers which step a button is for. */
const OfStep = ({ number }: { number: number }): JSX.Element => <span class="unseen">step {number}</span>;

function Options({ step: { tool }, number }: { step: PipelineStep; number: number }): JSX.Element | null {
  const options = optionsOf(tool.definition);
  if (options.length === 0) return null;
  const count = Object.keys(tool.options.value).length;
  return (
    <details open={options.some(([, , isRequired]) => isRequired)}>
      <summary>
        Options of step {number}
        {count === 0 ? "" : ` (${count} chosen)`}
      </summary>
      <div class="options">
        {options.map(([name, schema, isRequired]) => (
          <OptionField state={tool} name={name} schema={schema} isRequired={isRequired} key={name} />
        ))}
      </div>
    </details>
  );
}

/** Characters of a result that are shown before the last step. */
const maxPassed = 5000;

/** The result of a step that the next one receives. */
function Passed({ step, number }: { step: PipelineStep; number: number }): JSX.Element {
  const outcome: Outcome = step.outcome.value;
  const text = useRef<HTMLPreElement>(null);
  if (outcome.kind === "none") return <p class="hint">Nothing yet.</p>;
  if (outcome.kind === "refusal")
    return (
      <p class="notice refused">
        <bdi>{outcome.refusal.message}</bdi>
      </p>
    );
  const { result } = outcome;
  if (typeof result !== "string")
    return <p>{result.length.toLocaleString()} bytes that are not text, for the next step.</p>;
  return (
    <details>
      <summary>Result of step {number}</summary>
      <p class="actions">
        <CopyButton title={`Result of step ${number}`} source={() => text.current} text={result} />
      </p>
      <pre
        ref={text}
        class="content"
        role="region"
        aria-label={`Text of step ${number}`}
        tabIndex={0}
        dir="auto"
      >
        {result.length > maxPassed ? `${result.slice(0, maxPassed)}…` : result}
      </pre>
      {result.length > maxPassed ? (
        <p class="hint">
          The first {maxPassed.toLocaleString()} of {result.length.toLocaleString()} characters. Copy gives
          all.
        </p>
      ) : null}
    </details>
  );
}
