import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId, useMemo, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { download, nameResult } from "../tools/download.ts";
import { isInDocument } from "../tools/refused.tsx";
import type { Outcome } from "../tools/runner.ts";
import { showSize, sizeOf } from "../tools/sizes.ts";
import { Icon } from "../ui/icon.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Tag } from "../ui/tag.tsx";
import { useView } from "../views/use-view.ts";
import { findTab, type ViewProps } from "../views/view.ts";
import type { PipelineStep } from "./step.ts";

export interface StepResultProps {
  step: PipelineStep;
  number: number;
  /** The number of the step above that gave no result, if there is one. */
  waitsFor: number | undefined;
  /** Shows a place in the document, if the document is that of the page. */
  onGoTo: ((line: number, column: number) => void) | undefined;
}

/** Shows the result of a step in the view of its tool, or why there is none. */
export function StepResult({ step, number, waitsFor, onGoTo }: StepResultProps): JSX.Element {
  const outcome: Outcome = step.outcome.value;
  if (outcome.kind === "none")
    return (
      <p class="hint waits">
        {waitsFor === undefined ? "The result appears here." : `Waits for step ${waitsFor}.`}
      </p>
    );
  if (outcome.kind === "refusal") {
    const place = outcome.refusal.places.find(isInDocument);
    const { line = 1, column = 1 } = place ?? {};
    return (
      <p class="refused">
        <Icon name="bad" /> <bdi>{outcome.refusal.message}</bdi>{" "}
        {place === undefined || onGoTo === undefined ? null : (
          <button type="button" class="small" onClick={() => onGoTo(line, column)}>
            Go to line {line}, column {column}
          </button>
        )}
      </p>
    );
  }
  return <Shown outcome={outcome} step={step} number={number} onGoTo={onGoTo} />;
}

interface ShownProps extends Pick<StepResultProps, "step" | "number" | "onGoTo"> {
  outcome: Extract<Outcome, { kind: "answer" }>;
}

function Shown({ outcome, step: { tool, callInTab }, number, onGoTo }: ShownProps): JSX.Element {
  const { definition } = tool;
  const { result, report } = outcome;
  const { view, failure } = useView(definition.page?.view, outcome);
  const chosen = useSignal<string | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  const panel = useId();
  const props: ViewProps = useMemo(
    () => ({
      definition,
      result,
      report,
      input: tool.input.peek(),
      options: tool.options.peek(),
      wraps: true,
      onGoTo,
      callInTab,
    }),
    [outcome],
  );
  const tabs = view?.tabs(props) ?? [];
  const tab = findTab(tabs, chosen.value);
  const text = tab?.text?.(props) ?? (typeof result === "string" ? result : undefined);
  const name = `Result of step ${number}`;
  return (
    <div class="step-answer">
      <div class="step-bar">
        {tabs.length > 1 ? (
          <Tabs
            label={`Ways to see the result of step ${number}`}
            tabs={tabs}
            chosen={tab?.id ?? ""}
            panel={panel}
            onChoose={(id) => (chosen.value = id)}
          />
        ) : null}
        <span class="buttons end">
          <button
            type="button"
            class="quiet small"
            aria-label={`Download the result of step ${number}`}
            onClick={() => download(nameResult(definition.slug, result), result)}
          >
            <Icon name="download" /> Download
          </button>
          {text === undefined ? null : (
            <span class="copy">
              <CopyButton title={name} class="quiet small" source={() => place.current} text={text} />
            </span>
          )}
        </span>
      </div>
      <div
        ref={place}
        class="step-view"
        id={panel}
        role={tabs.length > 1 ? "tabpanel" : "region"}
        aria-label={name}
        tabIndex={0}
      >
        {failure !== undefined ? (
          <p class="hint">{failure}</p>
        ) : view === undefined ? null : tab === undefined ? (
          <p class="hint">{showSize((result as Uint8Array).length)} that are not text.</p>
        ) : (
          <tab.Component {...props} />
        )}
      </div>
    </div>
  );
}

/** The outcome of a step in a word, and the size of its result. */
export function OutcomeTag({ outcome }: { outcome: Outcome }): JSX.Element | null {
  if (outcome.kind === "none") return null;
  if (outcome.kind === "refusal") return <Tag tone="bad">refused</Tag>;
  const { result, report } = outcome;
  if (report !== undefined && !report.valid)
    return <Tag tone="bad">not valid: {report.errors.length.toLocaleString()}</Tag>;
  const size = showSize(typeof result === "string" ? sizeOf(result) : result.length);
  return (
    <Tag tone="ok">
      <Icon name="check" /> {report === undefined ? size : `valid · ${size}`}
    </Tag>
  );
}
