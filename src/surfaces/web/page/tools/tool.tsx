import { type Signal, useComputed, useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { EditorHandle } from "../editor/editor.tsx";
import type { Handed } from "../editor/input.ts";
import { Elsewhere } from "../elsewhere/elsewhere.tsx";
import { remember } from "../home/history.ts";
import { openTab } from "../tab/tab.ts";
import { Advanced } from "./advanced.tsx";
import type { Definition } from "./definition.ts";
import { addDrops } from "./drop.ts";
import { Head } from "./head.tsx";
import { addKeys } from "./keys.ts";
import { OptionsBar } from "./options-bar.tsx";
import { Panes } from "./panes.tsx";
import { type Place, placesOf } from "./places.ts";
import { createRunner } from "./runner.ts";
import { createState } from "./state.ts";
import { StatusLine } from "./status-line.tsx";
import type { TextMark } from "../views/view.ts";

/** Fills the page of a tool. @param handed What another page hands over. */
export function show(place: Element, root: URL, handed?: Handed): void {
  const definition = JSON.parse((place as HTMLElement).dataset["tool"] ?? "") as Definition;
  remember(definition.slug);
  const address = new URL(location.href);
  // A document that came in the fragment does not stay in the history of the browser.
  if (address.hash !== "") history.replaceState(history.state, "", address.pathname + address.search);
  // Preact would make other elements of those that the server sent: they would move.
  place.replaceChildren();
  render(<ToolPage definition={definition} root={root} address={address} handed={handed} />, place);
}

interface ToolPageProps {
  definition: Definition;
  root: URL;
  address: URL;
  handed: Handed | undefined;
}

function ToolPage({ definition, root, address, handed }: ToolPageProps): JSX.Element {
  const state = useMemo(() => createState(definition, address, handed), []);
  const runner = useMemo(() => createRunner(state, openTab(root), root), []);
  useEffect(() => runner.close, []);
  const drawer: Signal<"advanced" | "elsewhere" | undefined> = useSignal(undefined);
  const cursor = useSignal<Place | undefined>(undefined);
  const note = useSignal<string | undefined>(undefined);
  const stretches = useSignal<readonly TextMark[]>([]);
  const editor = useRef<EditorHandle | null>(null);
  const copy = useRef<(() => void) | undefined>(undefined);
  // Read by the parts that show it: a key draws nothing else of the page.
  const places = useComputed(() => placesOf(runner.outcome.value));
  const page = useRef<HTMLDivElement>(null);
  const isShown = (): boolean => page.current?.isConnected === true;
  const toggle = (name: "advanced" | "elsewhere"): void => {
    drawer.value = drawer.value === name ? undefined : name;
  };
  const close = (): void => {
    drawer.value = undefined;
  };

  useEffect(
    () =>
      addKeys({
        isShown,
        run: runner.run,
        copy: () => copy.current?.(),
        places: () => places.peek(),
        goTo: (line, column) => editor.current?.goTo(line, column),
      }),
    [],
  );
  useEffect(() => addDrops(state, isShown), []);

  return (
    <div class="tool-page" ref={page}>
      <Head
        state={state}
        root={root}
        isElsewhereOpen={drawer.value === "elsewhere"}
        onElsewhere={() => toggle("elsewhere")}
      />
      <OptionsBar
        state={state}
        runner={runner}
        root={root}
        isAdvancedOpen={drawer.value === "advanced"}
        onAdvanced={() => toggle("advanced")}
      />
      <Panes
        state={state}
        runner={runner}
        root={root}
        show={show}
        marks={places}
        editor={editor}
        cursor={cursor}
        note={note}
        stretches={stretches}
        copy={copy}
      />
      <StatusLine state={state} runner={runner} note={note} cursor={cursor} />
      {drawer.value === "advanced" ? <Advanced state={state} onClose={close} /> : null}
      {drawer.value === "elsewhere" ? <Elsewhere state={state} root={root} onClose={close} /> : null}
    </div>
  );
}
