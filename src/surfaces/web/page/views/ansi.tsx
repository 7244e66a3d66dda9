import type { JSX } from "preact";
import { toSpans } from "./ansi-spans.ts";
import { Glyphs } from "./glyphs.tsx";

/** Longest text, in UTF-16 code units, that is rendered. */
const maxText = 500_000;

/** A text with the colours that its escape sequences set (ECMA-48, SGR); other sequences are left out, as a terminal would. */
export function Rendered({ text }: { text: string }): JSX.Element {
  return (
    <pre class="v-terminal" tabIndex={0} role="group" aria-label="The text as a terminal shows it">
      {toSpans(text.slice(0, maxText)).map(({ classes, content }, index) => (
        <span class={classes} key={index}>
          <Glyphs>{content}</Glyphs>
        </span>
      ))}
      {text.length > maxText ? "…" : null}
    </pre>
  );
}
