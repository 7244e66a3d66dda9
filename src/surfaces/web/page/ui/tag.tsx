import type { ComponentChildren, JSX } from "preact";

export type Tone = "ok" | "warn" | "bad" | "accent" | "neutral";

/** A state in a word, with the colour that belongs to it. */
export const Tag = ({ tone, children }: { tone: Tone; children: ComponentChildren }): JSX.Element => (
  <span class={tone === "neutral" ? "tag" : `tag ${tone}`}>{children}</span>
);
