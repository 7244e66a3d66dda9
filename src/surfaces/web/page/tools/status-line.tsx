import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Icon } from "../ui/icon.tsx";
import type { Place } from "./places.ts";
import type { Runner } from "./runner.ts";
import { countLines, showSize, showTime, sizeOf } from "./sizes.ts";
import type { ToolState } from "./state.ts";

export interface StatusLineProps {
  state: ToolState;
  runner: Runner;
  /** The view's remark about the result. */
  note: ReadonlySignal<string | undefined>;
  /** The position of the cursor. */
  cursor: ReadonlySignal<Place | undefined>;
}

/** Shows the outcome of a run, where it ran, the size of the result, and the position of the cursor. */
export function StatusLine({ state, runner, note, cursor }: StatusLineProps): JSX.Element {
  return (
    <footer class="status-line">
      <span role="status">
        <Outcome runner={runner} note={note.value} />
      </span>
      <Where state={state} runner={runner} />
      <Sizes runner={runner} />
      <Cursor of={cursor} />
    </footer>
  );
}

function Cursor({ of: { value } }: { of: ReadonlySignal<Place | undefined> }): JSX.Element | null {
  if (value === undefined) return null;
  return (
    <span class="end wide-only">
      Line {value.line.toLocaleString("en")}, column {value.column.toLocaleString("en")}
    </span>
  );
}

/** After so long, the line says that the tool works, and offers to stop it. */
const slowMs = 500;

function Outcome({ runner, note }: { runner: Runner; note: string | undefined }): JSX.Element | string {
  const isRunning = runner.isRunning.value;
  const outcome = runner.outcome.value;
  const worked = useSignal(0);
  useEffect(() => {
    worked.value = 0;
    if (!isRunning) return undefined;
    const startedAt = performance.now();
    const timer = setInterval(() => {
      const passed = performance.now() - startedAt;
      if (passed >= slowMs) worked.value = passed;
    }, 100);
    return () => clearInterval(timer);
  }, [isRunning]);

  if (worked.value > 0)
    return (
      <>
        <span aria-live="off">Working for {showTime(worked.value)}</span>{" "}
        <button type="button" class="small" onClick={runner.stop}>
          <Icon name="stop" /> Stop
        </button>
      </>
    );
  if (outcome.kind === "none") return "Ready";
  const time = showTime(runner.elapsed.value);
  if (outcome.kind === "refusal")
    return (
      <span class="bad">
        <Icon name="bad" /> No result · {time}
      </span>
    );
  const { report } = outcome;
  const said =
    note ?? (report === undefined ? undefined : describeReport(report.valid, report.errors.length));
  const isBad = report?.valid === false;
  return (
    <span class={isBad ? "bad" : "ok"}>
      <Icon name={isBad ? "bad" : "check"} /> {said === undefined ? time : `${said} · ${time}`}
    </span>
  );
}

function describeReport(isValid: boolean, count: number): string {
  const findings = count === 1 ? "1 finding" : `${count.toLocaleString("en")} findings`;
  return count > 0 ? findings : isValid ? "No findings" : "Not valid";
}

function Where({ state: { definition }, runner }: { state: ToolState; runner: Runner }): JSX.Element {
  const place = runner.place.value ?? (definition.runsInTab ? "tab" : "server");
  const quota = runner.quota.value;
  if (place === "tab")
    return (
      <span>
        <Icon name="shield" /> In this tab: nothing leaves
      </span>
    );
  return (
    <span>
      <Icon name="server" /> On the server:{" "}
      {quota === undefined
        ? "counts as a request"
        : `${quota.left.toLocaleString("en")} of ${quota.limit.toLocaleString("en")} left this hour`}
    </span>
  );
}

const restMs = 300;

function Sizes({ runner }: { runner: Runner }): JSX.Element | null {
  const answer = runner.answer.value;
  const shown = useSignal("");
  useEffect(() => {
    if (answer === undefined) {
      shown.value = "";
      return undefined;
    }
    const { input, outcome } = answer;
    // A large text is measured when the page has nothing else to do.
    const timer = setTimeout(() => {
      const before = input.kind === "text" ? sizeOf(input.text) : input.file.size;
      // The size of a report says nothing.
      if (outcome.report !== undefined && before > 0) {
        shown.value = showSize(before);
        return;
      }
      const after = typeof outcome.result === "string" ? sizeOf(outcome.result) : outcome.result.length;
      const lines = typeof outcome.result === "string" ? countLines(outcome.result) : undefined;
      const sizes = before === 0 ? showSize(after) : `${showSize(before)} → ${showSize(after)}`;
      const ends = input.kind === "text" && input.text.includes("\r\n") ? "UTF-8, CR LF" : "UTF-8, LF";
      const counted = lines === 1 ? "1 line" : `${lines?.toLocaleString("en")} lines`;
      shown.value = lines === undefined ? sizes : `${sizes} · ${counted} · ${ends}`;
    }, restMs);
    return () => clearTimeout(timer);
  }, [answer]);
  return shown.value === "" ? null : <span class="wide-only">{shown.value}</span>;
}
