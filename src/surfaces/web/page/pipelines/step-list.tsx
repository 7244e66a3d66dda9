import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { isSecret } from "../elsewhere/snippets.ts";
import { optionsOf, showField, toLabel } from "../tools/fields.ts";
import { OptionField } from "../tools/option-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { toVisible } from "../ui/text.tsx";
import { OutcomeTag, StepResult } from "./step-result.tsx";
import type { Pipeline, PipelineStep } from "./step.ts";

export interface StepListProps {
  pipeline: Pipeline;
  /** Shows a place in the input. */
  onGoTo(line: number, column: number): void;
}

/** The steps, each with its options and its result; they are moved by buttons, by Alt with an arrow key, and by dragging. */
export function StepList({ pipeline, onGoTo }: StepListProps): JSX.Element {
  const { steps, news } = pipeline;
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
  const stopped = list.findIndex(({ outcome }) => outcome.value.kind === "refusal");
  return (
    <ol class="steps">
      {list.map((step, index) => (
        <li
          key={step.id}
          class={classOf(step, target.value === index)}
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
            event.stopPropagation();
            move(dragged.current, index);
          }}
        >
          <StepHead
            step={step}
            at={index}
            count={list.length}
            onMove={(to) => move(index, to)}
            onRemove={() => remove(index)}
            onDragStart={(event) => {
              dragged.current = index;
              event.dataTransfer?.setData("text/plain", step.tool.definition.slug);
            }}
            onDragEnd={() => {
              dragged.current = undefined;
              target.value = -1;
            }}
          />
          <StepResult
            step={step}
            number={index + 1}
            waitsFor={stopped >= 0 && stopped < index ? stopped + 1 : undefined}
            onGoTo={index === 0 ? onGoTo : undefined}
          />
        </li>
      ))}
    </ol>
  );
}

const classOf = ({ outcome }: PipelineStep, isOver: boolean): string =>
  `step card${isOver ? " over" : ""}${outcome.value.kind === "refusal" ? " bad" : ""}`;

interface StepHeadProps {
  step: PipelineStep;
  /** Place of the step, from 0. */
  at: number;
  count: number;
  onMove(to: number): void;
  onRemove(): void;
  onDragStart(event: DragEvent): void;
  onDragEnd(): void;
}

/** Number, tool and options of a step. The options are words until they are opened. */
function StepHead({ step, at, count, onMove, onRemove, onDragStart, onDragEnd }: StepHeadProps): JSX.Element {
  const { tool, outcome } = step;
  const options = optionsOf(tool.definition);
  const isOpen = useSignal(options.some(([, , isRequired]) => isRequired));
  const id = useId();
  const number = at + 1;
  const mover = (to: number, icon: string, label: string): JSX.Element => (
    <button
      type="button"
      class="quiet only small"
      aria-label={`${label} step ${number}`}
      title={label}
      aria-disabled={to < 0 || to >= count}
      onClick={() => onMove(to)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <>
      <div class="step-head" draggable onDragStart={onDragStart} onDragEnd={onDragEnd}>
        <h2>
          <span class="number">{number}</span>
          <span class="unseen">. </span>
          {tool.definition.title}
        </h2>
        <span class="muted small cut">{isOpen.value ? "" : describe(step)}</span>
        <span class="buttons end">
          <OutcomeTag outcome={outcome.value} />
          {options.length === 0 ? null : (
            <button
              type="button"
              class="quiet only small"
              aria-label={`Options of step ${number}`}
              title="Options"
              aria-expanded={isOpen.value}
              aria-controls={id}
              onClick={() => (isOpen.value = !isOpen.value)}
            >
              <Icon name="filter" />
            </button>
          )}
          {mover(at - 1, "up", "Move up")}
          {mover(at + 1, "below", "Move down")}
          <Menu
            label={`More for step ${number}`}
            class="quiet only small"
            isIcon
            isAtEnd
            items={[
              {
                text: "Remove",
                label: `Remove step ${number}`,
                icon: "delete",
                isDanger: true,
                act: onRemove,
              },
            ]}
          >
            <Icon name="more" />
          </Menu>
        </span>
      </div>
      {options.length === 0 ? null : (
        <div
          class="options"
          id={id}
          hidden={!isOpen.value}
          role="group"
          aria-label={`Options of step ${number}`}
        >
          {isOpen.value
            ? options.map(([name, schema, isRequired]) => (
                <OptionField state={tool} name={name} schema={schema} isRequired={isRequired} key={name} />
              ))
            : null}
        </div>
      )}
    </>
  );
}

/** The chosen options in words. */
const describe = ({ tool: { definition, options } }: PipelineStep): string =>
  Object.entries(options.value)
    .map(([name, value]) =>
      isSecret(definition, name)
        ? `${toLabel(name)}: •••`
        : value === true
          ? toLabel(name)
          : `${toLabel(name)}: ${toVisible(showField(value))}`,
    )
    .join(", ");
