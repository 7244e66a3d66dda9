import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ViewName } from "../../../../catalog/view-name.ts";
import { chooseView, openView, type View, type ViewProps } from "./view.ts";

/**
 * Returns the view of a result, as soon as it is loaded, and why it cannot be. A view draws results of its own shape only.
 * @param name The view that the tool names.
 */
export function useView(
  name: ViewName | undefined,
  found: (Pick<ViewProps, "result"> & Partial<Pick<ViewProps, "report">>) | undefined,
): { view: View | undefined; failure: string | undefined } {
  const opened = useSignal<{ name: string; view: View } | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const wanted = useMemo(() => found && chooseView(name, found.result, found.report), [found]);
  useEffect(() => {
    if (wanted === undefined || opened.peek()?.name === wanted) return undefined;
    let isOld = false;
    void load(wanted);
    async function load(one: ViewName): Promise<void> {
      try {
        const view = await openView(one);
        if (isOld) return;
        failure.value = undefined;
        opened.value = { name: one, view };
      } catch {
        if (!isOld) failure.value = "A part of this page is missing on the server. Load the page again.";
      }
    }
    return () => {
      isOld = true;
    };
  }, [wanted, found]);
  const view = opened.value?.name === wanted ? opened.value?.view : undefined;
  return { view, failure: view === undefined ? failure.value : undefined };
}
