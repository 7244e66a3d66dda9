import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";

/** A text with a button that copies it. */
export function Copyable({ title, children }: { title: string; children: string }): JSX.Element {
  const text = useRef<HTMLPreElement>(null);
  return (
    <figure class="example">
      <figcaption>
        {title} <CopyButton title={title} source={() => text.current} />
      </figcaption>
      <pre ref={text}>
        <code>{children}</code>
      </pre>
    </figure>
  );
}
