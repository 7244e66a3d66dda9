import type { JSX } from "preact";
import { toVisible } from "./text.tsx";

/** A text of others that may be long: characters without a form of their own are shown by their number. */
export const Content = ({ name, children }: { name: string; children: string }): JSX.Element => (
  <pre class="content" role="region" aria-label={name} tabIndex={0}>
    {toVisible(children, true)}
  </pre>
);
