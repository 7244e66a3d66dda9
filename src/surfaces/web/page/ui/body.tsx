import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { parseJson } from "../lossless-json.ts";
import { Segmented } from "./segmented.tsx";
import { toVisible } from "./text.tsx";

export interface BodyProps {
  name: string;
  children: string;
}

/** The body of a request or an answer: JSON with its structure and as it was sent, everything else as it is. Copy gives the latter. */
export function Body({ name, children: text }: BodyProps): JSX.Element {
  const view = useSignal("pretty");
  const shown = useRef<HTMLPreElement>(null);
  const pretty = useMemo(() => toPretty(text), [text]);
  const isPretty = view.value === "pretty" && pretty !== undefined;
  return (
    <div class="body">
      <div class="buttons">
        {pretty === undefined ? null : (
          <Segmented
            label={`How to show: ${name}`}
            options={[
              ["pretty", "Pretty"],
              ["raw", "Raw"],
            ]}
            value={view.value}
            onSelect={(next) => (view.value = next)}
          />
        )}
        <CopyButton title={name} class="quiet small end" source={() => shown.current} text={text} />
      </div>
      <pre ref={shown} class="content" role="region" aria-label={name} tabIndex={0}>
        {isPretty ? colour(pretty) : toVisible(text, true)}
      </pre>
    </div>
  );
}

/** Characters above which a browser takes long to lay out coloured words. */
const maxPretty = 200_000;

function toPretty(text: string): string | undefined {
  if (text.length > maxPretty || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(parseJson(text), null, 2);
  } catch {
    return undefined;
  }
}

const token = /("(?:\\.|[^"\\])*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** Colours JSON by its words, which are shown with visible control characters. */
function colour(json: string): (string | JSX.Element)[] {
  const parts: (string | JSX.Element)[] = [];
  let from = 0;
  for (const found of json.matchAll(token)) {
    const [whole, string, colon = ""] = found;
    const kind =
      string === undefined ? (/^[-\d]/.test(whole) ? "number" : "word") : colon === "" ? "string" : "key";
    parts.push(json.slice(from, found.index));
    parts.push(
      <span class={`json-${kind}`} key={found.index}>
        {toVisible(string ?? whole)}
      </span>,
    );
    parts.push(colon);
    from = found.index + whole.length;
  }
  parts.push(json.slice(from));
  return parts;
}
