import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import { type Handed, isEmpty } from "../editor/input.ts";
import { openTool } from "../home/open-tool.ts";
import { Tabs } from "../ui/tabs.tsx";
import { useView } from "../views/use-view.ts";
import { findTab, type TextMark, type ViewProps, type ViewTab } from "../views/view.ts";
import { missingOf, takesDocument } from "./fields.ts";
import { Refused } from "./refused.tsx";
import { ResultActions } from "./result-actions.tsx";
import type { Answer, Runner } from "./runner.ts";
import { showSize } from "./sizes.ts";
import type { ToolState } from "./state.ts";
import { labelOf } from "./words.ts";

export interface ResultPaneProps {
  state: ToolState;
  runner: Runner;
  root: URL;
  /** Fills the page of a tool. */
  show(place: Element, root: URL, handed?: Handed): void;
  onGoTo: ((line: number, column: number) => void) | undefined;
  /** Whether what the view says first stands above the pane. */
  isLed: boolean;
  /** Set to what the view says about the result. */
  note: Signal<string | undefined>;
  /** Set to what the view marks in the document. */
  stretches: Signal<readonly TextMark[]>;
  /** Set to what copies the result. */
  copy: { current: (() => void) | undefined };
}

const none: readonly TextMark[] = [];

/** Shows the result of the tool in a view, or why there is none above the last result. */
export function ResultPane({
  state,
  runner,
  root,
  show,
  onGoTo,
  isLed,
  note,
  stretches,
  copy,
}: ResultPaneProps): JSX.Element {
  const { definition } = state;
  const answer = runner.answer.value;
  const outcome = runner.outcome.value;
  const wraps = useSignal(true);
  const chosen = useSignal<string | undefined>(undefined);
  const { view, failure } = useView(definition.page?.view, answer?.outcome);
  const panel = useId();
  const busy = useRef<HTMLElement & HTMLDivElement>(null);
  // The pane is not drawn again for it.
  useSignalEffect(() => busy.current?.setAttribute("aria-busy", String(runner.isRunning.value)));

  const props: ViewProps | undefined = answer && {
    definition,
    result: answer.outcome.result,
    report: answer.outcome.report,
    input: answer.input,
    options: answer.options,
    wraps: wraps.value,
    onGoTo: answer.isCut ? undefined : onGoTo,
    callInTab: runner.place.value === "tab" ? runner.callInTab : undefined,
    callOnServer: runner.callOnServer,
    onOpenTool: (slug, options) =>
      void openTool(root, slug, { input: answer.input, options }, () => ({ show })),
    onRunAgain: takesDocument(definition) ? undefined : runner.run,
    isLed: isLed && outcome.kind !== "refusal",
  };
  const tabs = view === undefined || props === undefined ? [] : nameFirst(view.tabs(props), props);
  const tab = findTab(tabs, chosen.value);
  const said = props === undefined ? undefined : view?.note?.(props);
  useEffect(() => {
    note.value = said;
  }, [said]);
  const marked = useMemo(
    () =>
      props === undefined || runner.outcome.value.kind !== "answer" ? none : (view?.marks?.(props) ?? none),
    [answer, view, runner.outcome.value],
  );
  useEffect(() => {
    stretches.value = marked;
  }, [marked]);
  const isOld = outcome.kind === "refusal";

  const Lead = props?.isLed === true ? view?.Lead : undefined;

  const pane = (
    <>
      <header class="pane-head">
        {tabs.length > 1 ? (
          <Tabs
            label="Ways to see the result"
            tabs={tabs}
            chosen={tab?.id ?? ""}
            panel={panel}
            onChoose={(id) => (chosen.value = id)}
          />
        ) : (
          <span class="pane-title">{tab?.label ?? "Result"}</span>
        )}
        {runner.isEarlier.value ? <span class="tag warn">of an earlier input</span> : null}
        <ResultActions
          state={state}
          runner={runner}
          root={root}
          show={show}
          props={props}
          tab={tab}
          wraps={wraps}
          copy={copy}
        />
      </header>
      <div
        class="fill"
        id={panel}
        {...(tabs.length > 1 && { role: "tabpanel", "aria-labelledby": `${panel}-${tab?.id}` })}
      >
        {isOld ? (
          <Refused
            refusal={outcome.refusal}
            onGoTo={onGoTo}
            repairs={runner.place.value === "tab" ? { state, runner } : undefined}
            root={root}
          />
        ) : null}
        {answer === undefined ? (
          isOld ? null : (
            <Empty state={state} runner={runner} />
          )
        ) : (
          <Shown
            answer={answer}
            isOld={isOld}
            props={props}
            tab={tab}
            isLoaded={view !== undefined}
            failure={failure}
          />
        )}
      </div>
    </>
  );
  if (!isLed)
    return (
      <section ref={busy} class="pane result-pane" aria-label="Result">
        {pane}
      </section>
    );
  return (
    <section class="led-result" aria-label="Result">
      {Lead === undefined || props === undefined ? null : <Lead {...props} />}
      <div ref={busy} class="pane result-pane">
        {pane}
      </div>
    </section>
  );
}

/** Calls the tab that is shown first what the tool calls it, unless the result is a report or there is no such tab. */
function nameFirst(tabs: readonly ViewTab[], { definition, report }: ViewProps): readonly ViewTab[] {
  const first = findTab(tabs, undefined);
  const label = definition?.page?.tab;
  return label === undefined || report !== undefined
    ? tabs
    : tabs.map((tab) => (tab === first ? { ...tab, label } : tab));
}

/** Before the first result. */
function Empty({ state, runner }: { state: ToolState; runner: Runner }): JSX.Element {
  const isServer = runner.place.value === "server";
  const { definition, options, input, second } = state;
  const missing = missingOf(definition, options.value, second?.value);
  if (missing.length > 0 && !(takesDocument(definition) && isEmpty(input.value)))
    return (
      <p class="blank hint">
        The tool needs more first: {missing.map((name) => labelOf(definition, name)).join(", ")}.
      </p>
    );
  return (
    <p class="blank hint">
      {isServer
        ? `The result appears here when you press ${takesDocument(definition) ? "Run" : "Generate"}.`
        : "The result appears here as you type."}
    </p>
  );
}

interface ShownProps {
  answer: Answer;
  /** Whether the tool has refused what came after it. */
  isOld: boolean;
  props: ViewProps | undefined;
  tab: ViewTab | undefined;
  isLoaded: boolean;
  failure: string | undefined;
}

function Shown({ answer, isOld, props, tab, isLoaded, failure }: ShownProps): JSX.Element {
  const content: ComponentChildren =
    failure !== undefined ? (
      <p class="blank">{failure}</p>
    ) : props === undefined || !isLoaded ? null : tab === undefined ? (
      <p class="blank">
        The result is {showSize((props.result as Uint8Array).length)} that are not text. Download saves them.
      </p>
    ) : (
      <tab.Component {...props} />
    );
  return (
    <>
      {isOld ? <Age at={answer.at} /> : null}
      <div class={isOld ? "shown old" : "shown"}>{content}</div>
    </>
  );
}

/** Shows the age of the last result. */
function Age({ at }: { at: number }): JSX.Element {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((now.value - at) / 1000));
  const text =
    seconds < 1
      ? "just now"
      : seconds < 60
        ? `${seconds} second${seconds === 1 ? "" : "s"} ago`
        : `${Math.round(seconds / 60)} min ago`;
  return (
    <p class="age">
      <span class="tag">Last result, {text}</span>
    </p>
  );
}
