import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Outcome } from "../tools/runner.ts";
import type { ViewProps } from "./view.ts";

/**
 * Calls a tool in the tab when something of `changes` has changed. The last outcome stays until the next one is there; undefined until
 * there is one, and where the tool does not run in the tab.
 * @param options Undefined: there is nothing to call.
 */
export function useRunInTab(
  callInTab: ViewProps["callInTab"],
  options: Readonly<Record<string, unknown>> | undefined,
  changes: readonly unknown[],
  slug?: string,
): ReadonlySignal<Outcome | undefined> {
  const outcome = useSignal<Outcome | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    async function run(given: Readonly<Record<string, unknown>>): Promise<void> {
      const found = await callInTab?.(given, slug);
      if (!isOver && found?.kind !== "none") outcome.value = found;
    }
    if (options !== undefined) void run(options);
    return () => (isOver = true);
  }, changes);
  return outcome;
}

/** Returns the text that a call gave; undefined if it gave none. */
export const textOfOutcome = (outcome: Outcome | undefined): string | undefined =>
  outcome?.kind === "answer" && typeof outcome.result === "string" ? outcome.result : undefined;
