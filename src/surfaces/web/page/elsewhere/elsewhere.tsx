import type { JSX } from "preact";
import type { ToolState } from "../tools/state.ts";
import { Copyable } from "../ui/copyable.tsx";
import { toSnippets } from "./snippets.ts";

/** The same call, to be made outside of this page. The document is a file there: the page shows nothing of it. */
export function Elsewhere({ state, root }: { state: ToolState; root: URL }): JSX.Element {
  const { definition, options, check } = state;
  const url = root.href.replace(/\/$/, "");
  return (
    <details>
      <summary>Use it elsewhere</summary>
      <p class="hint">
        With these options. The document is in the file data.txt, and secrets are in environment variables.
      </p>
      {toSnippets({ definition, options: options.value, check: check.value, url }).map(({ title, text }) => (
        <Copyable title={title} key={title}>
          {text}
        </Copyable>
      ))}
    </details>
  );
}
