import { useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { openTab, type Tab } from "../tab/tab.ts";
import type { Definition } from "./definition.ts";

/** Fills the page of a tool. */
export function show(place: Element, root: URL): void {
  const definition = JSON.parse((place as HTMLElement).dataset["tool"] ?? "") as Definition;
  render(<ToolPage definition={definition} tab={openTab(root)} />, place);
}

function ToolPage({ definition, tab }: { definition: Definition; tab: Tab }): JSX.Element {
  const data = useSignal("");
  const result = useSignal("");
  async function act(text: string): Promise<void> {
    data.value = text;
    try {
      const call = { slug: definition.slug, form: "text", check: false } as const;
      const { body } = await tab.run({ ...call, body: { kind: "input", input: { data: text } } });
      result.value = typeof body === "string" ? body : new TextDecoder().decode(body);
    } catch (error) {
      result.value = (error as Error).message;
    }
  }
  return (
    <>
      <label>
        Input
        <textarea value={data} onInput={({ currentTarget }) => void act(currentTarget.value)} />
      </label>
      <pre>{result}</pre>
    </>
  );
}
