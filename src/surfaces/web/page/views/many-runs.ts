import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ViewProps } from "./view.ts";

/** A value of an option and the result that the tool gives for it; undefined until it has run, null if it refused. */
export interface Run {
  value: string | number;
  result: string | null | undefined;
}

/**
 * Runs the tool in the tab once for each value of an option, one after another. The run for the value that gave the result of the
 * API is that result.
 */
export function useManyRuns(
  { result, input, options, definition, callInTab }: ViewProps,
  option: string,
  values: readonly (string | number)[],
): ReadonlySignal<readonly Run[]> {
  const chosen = options[option] ?? definition?.input.properties[option]?.default;
  const begin = values.map((value): Run => ({
    value,
    result: value === chosen && typeof result === "string" ? result : undefined,
  }));
  const runs = useSignal<readonly Run[]>(begin);
  const key = `${option} ${values.join(" ")} ${JSON.stringify(options)}`;
  useEffect(() => {
    let isOver = false;
    // What was there before stays in sight until its successor is there.
    runs.value = begin.map((run, index) =>
      run.result === undefined && runs.peek()[index]?.value === run.value
        ? { ...run, result: runs.peek()[index]?.result }
        : run,
    );
    void (async () => {
      if (callInTab === undefined) return;
      for (const [index, { value }] of begin.entries()) {
        if (begin[index]?.result !== undefined) continue;
        const outcome = await callInTab({ [option]: value });
        if (isOver) return;
        const found = outcome.kind === "answer" && typeof outcome.result === "string" ? outcome.result : null;
        runs.value = runs.value.with(index, { value, result: found });
      }
    })();
    return () => (isOver = true);
  }, [result, input, key]);
  return runs;
}
