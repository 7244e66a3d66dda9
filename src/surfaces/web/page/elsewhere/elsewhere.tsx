import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { openPipelines } from "../home/open-tool.ts";
import { givenOptions, toPipelineStart } from "../tools/given.ts";
import type { ToolState } from "../tools/state.ts";
import { Drawer } from "../ui/drawer.tsx";
import { Icon } from "../ui/icon.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { toSnippets } from "./snippets.ts";

/** The same call, to be made outside of this page. The document is a file there: the page shows nothing of it. */
export function Elsewhere({
  state,
  root,
  onClose,
}: {
  state: ToolState;
  root: URL;
  onClose(): void;
}): JSX.Element {
  const { definition, check } = state;
  const url = root.href.replace(/\/$/, "");
  const chosen = useSignal("curl");
  const panel = useId();
  const text = useRef<HTMLPreElement>(null);
  const snippets = toSnippets({ definition, options: givenOptions(state), check: check.value, url });
  const snippet = snippets.find(({ id }) => id === chosen.value) ?? snippets[0];
  return (
    <Drawer title="Use it elsewhere" note="the same call, with your options" onClose={onClose}>
      <Tabs
        label="Where"
        tabs={snippets.map(({ id, title }) => ({ id, label: title }))}
        chosen={chosen.value}
        panel={panel}
        onChoose={(id) => (chosen.value = id)}
      />
      <div id={panel} role="tabpanel" aria-labelledby={`${panel}-${chosen.value}`}>
        <pre class="content" ref={text} tabIndex={0}>
          <code>{snippet?.text}</code>
        </pre>
      </div>
      <p class="actions">
        <CopyButton title={snippet?.title ?? ""} class="primary" source={() => text.current} />
        <span class="hint">
          The document is read from <code>data.txt</code>
          {definition.anonymous ? "" : ", the key from PENKNIFE_KEY"}; secrets are in environment variables.
        </span>
      </p>
      {/* A pipeline of the operator is no step of another. */}
      {definition.steps === undefined ? (
        <p class="actions">
          <button
            type="button"
            class="small"
            onClick={() => void openPipelines(root, toPipelineStart(state))}
          >
            <Icon name="pipelines" /> Add to a pipeline
          </button>
        </p>
      ) : null}
    </Drawer>
  );
}
