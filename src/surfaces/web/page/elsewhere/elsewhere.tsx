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
import { toLink, toLinkWithDocuments } from "../tools/link.ts";
import { showSize } from "../tools/sizes.ts";

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
        <CopyButton title={snippet?.title ?? ""} class="primary" hasIcon source={() => text.current} />
        <span class="hint">
          The document is read from <code>data.txt</code>
          {definition.anonymous ? "" : ", the key from PENKNIFE_KEY"}; secrets are in environment variables.
        </span>
      </p>
      <Links state={state} root={root} />
    </Drawer>
  );
}

/** The page itself with these options as a link, and the tool as a step of a pipeline. */
function Links({ state, root }: { state: ToolState; root: URL }): JSX.Element {
  const input = state.input.value;
  const whole = toLinkWithDocuments(state, root, input.kind === "text" ? input.text : "");
  return (
    <section class="elsewhere-links">
      <h3>In a browser</h3>
      <CopyLink label="Copy a link with these options" link={toLink(state, root)} />
      {whole === undefined ? null : (
        <>
          <CopyLink label="Copy a link with the document" link={whole} />
          <p class="hint">
            The document, {showSize(whole.hash.length)}, is in the fragment: no server receives it.
          </p>
        </>
      )}
      {/* A pipeline of the operator is no step of another. */}
      {state.definition.steps === undefined ? (
        <button type="button" onClick={() => void openPipelines(root, toPipelineStart(state))}>
          <Icon name="pipelines" /> Add to a pipeline
        </button>
      ) : null}
    </section>
  );
}

/** The text of the link is what is selected where the browser refuses to copy. */
function CopyLink({ label, link }: { label: string; link: URL }): JSX.Element {
  const place = useRef<HTMLSpanElement>(null);
  return (
    <>
      <CopyButton title="Link" label={label} hasIcon source={() => place.current} />
      <span ref={place} class="unseen">
        {link.href}
      </span>
    </>
  );
}
