import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { download, isPng, nameResult } from "../tools/download.ts";
import { isInDocument } from "../tools/refused.tsx";
import type { Outcome } from "../tools/runner.ts";
import { Icon } from "../ui/icon.tsx";
import { Tag } from "../ui/tag.tsx";
import { toVisible } from "../ui/text.tsx";
import type { PipelineStep } from "./step.ts";

/** Characters of a result that are shown. */
const maxShown = 20_000;

export interface StepResultProps {
  step: PipelineStep;
  number: number;
  /** The number of the step above that gave no result, if there is one. */
  waitsFor: number | undefined;
  /** Shows a place in the document, if the document is that of the page. */
  onGoTo: ((line: number, column: number) => void) | undefined;
}

/** What a step gave, in a few lines, or why it gave nothing. */
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
  return <Shown result={outcome.result} step={step} number={number} />;
}

interface ShownProps extends Pick<StepResultProps, "step" | "number"> {
  result: string | Uint8Array<ArrayBuffer>;
}

function Shown({ result, step, number }: ShownProps): JSX.Element {
  const place = useRef<HTMLPreElement>(null);
  const { slug } = step.tool.definition;
  if (typeof result !== "string")
    return (
      <div class="step-bytes">
        {isPng(result) ? <Picture type="image/png" body={result} /> : null}
        <p class="hint">{result.length.toLocaleString()} bytes that are not text.</p>
        <button
          type="button"
          class="quiet small"
          onClick={() => download(`${slug}.${isPng(result) ? "png" : "bin"}`, result)}
        >
          <Icon name="download" /> Download
        </button>
      </div>
    );
  const isSvg = /^(?:<\?xml[^>]*>\s*)?<svg[\s>]/.test(result);
  const rest = result.length - maxShown;
  return (
    <div class="step-text">
      {isSvg ? <Picture type="image/svg+xml" body={result} /> : null}
      <pre
        ref={place}
        class="result"
        role="region"
        aria-label={`Result of step ${number}`}
        tabIndex={0}
        dir="ltr"
      >
        {toVisible(result.slice(0, maxShown), true)}
      </pre>
      {rest > 0 ? (
        <p class="hint">
          The first {maxShown.toLocaleString()} of {result.length.toLocaleString()} characters. Copy and
          Download give all.
        </p>
      ) : null}
      <span class="buttons">
        <CopyButton
          title={`Result of step ${number}`}
          class="quiet small"
          source={() => place.current}
          text={result}
        />
        <button
          type="button"
          class="quiet small"
          aria-label={`Download the result of step ${number}`}
          onClick={() => download(nameResult(slug, result), result)}
        >
          <Icon name="download" /> Download
        </button>
      </span>
    </div>
  );
}

/** Draws an image: as an image, not as a part of the page, so that no script in it runs and it loads nothing. */
function Picture({ type, body }: { type: string; body: string | Uint8Array<ArrayBuffer> }): JSX.Element {
  const url = useSignal("");
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([body], { type }));
    url.value = made;
    return () => URL.revokeObjectURL(made);
  }, [body, type]);
  return <img class="picture" src={url.value} alt="The result as an image" />;
}

/** The outcome of a step in a word, and the size of its result. */
export function OutcomeTag({ outcome }: { outcome: Outcome }): JSX.Element | null {
  if (outcome.kind === "none") return null;
  if (outcome.kind === "refusal") return <Tag tone="bad">refused</Tag>;
  const { result, report } = outcome;
  const size = sizeOf(typeof result === "string" ? new TextEncoder().encode(result).length : result.length);
  if (report !== undefined && !report.valid)
    return <Tag tone="bad">not valid: {report.errors.length.toLocaleString()}</Tag>;
  return (
    <Tag tone="ok">
      <Icon name="check" /> {report === undefined ? size : `valid · ${size}`}
    </Tag>
  );
}

const sizeOf = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1000).toFixed(1)} KB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;
