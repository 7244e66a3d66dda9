import type { JSX } from "preact";
import diff from "./diff/diff.css";
import { DiffBox } from "./diff/diff-box.tsx";
import parts from "./parts.css";
import { textOfOutcome, useRunInTab } from "./run-in-tab.ts";
import type { ViewProps, ViewTab } from "./view.ts";

/** The document against the result, which the page compares with text-differ, in this tab; and the sheets that it needs. */
export const changed: { tab: ViewTab; sheets: readonly string[] } = {
  tab: { id: "changed", label: "What changed", Component: Changed },
  sheets: [parts, diff],
};

function Changed({ input, result, wraps, callInTab }: ViewProps): JSX.Element {
  const before = input.kind === "text" ? input.text : undefined;
  return <Compared before={before} after={result as string} wraps={wraps} callInTab={callInTab} />;
}

export interface ComparedProps {
  /** Undefined if the text is not at hand, because it is a file. */
  before: string | undefined;
  after: string;
  wraps: boolean;
  callInTab: ViewProps["callInTab"];
}

/** Two texts side by side. */
export function Compared({ before, after, wraps, callInTab }: ComparedProps): JSX.Element {
  const outcome = useRunInTab(
    callInTab,
    before === undefined ? undefined : { data: before, other: after },
    [before, after],
    "text-differ",
  );
  const patch = textOfOutcome(outcome.value);
  if (before === undefined || callInTab === undefined)
    return (
      <p class="v-view muted">
        {before === undefined
          ? "A file is not compared here; the tool text-differ does that."
          : "Texts are compared in this tab; this tool runs on the server."}
      </p>
    );
  if (outcome.value?.kind === "refusal") return <p class="v-view muted">{outcome.value.refusal.message}</p>;
  if (patch === undefined) return <p class="v-view muted">Comparing …</p>;
  return <DiffBox patch={patch} before={before} after={after} isInline={false} wraps={wraps} />;
}
