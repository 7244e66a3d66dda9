import type { JSX } from "preact";

/** An icon of icons.svg, which stands in every page. */
export const Icon = ({ name }: { name: string }): JSX.Element => (
  <svg class="i" aria-hidden="true">
    <use href={`#i-${name}`} />
  </svg>
);
