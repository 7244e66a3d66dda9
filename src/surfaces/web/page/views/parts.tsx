import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { codeOf } from "./code/code.tsx";
import { Glyphs } from "./glyphs.tsx";
import type { ViewTab } from "./view.ts";

export type Tone = "ok" | "warn" | "bad" | "info";

export interface BannerProps {
  tone: Tone;
  /** The first words, which say the most. */
  title: string;
  children?: ComponentChildren;
  /** The content at the end, such as a button. */
  action?: ComponentChildren;
}

export const Banner = ({ tone, title, children, action }: BannerProps): JSX.Element => (
  <div class={`banner ${tone}`}>
    <Icon name={tone} />
    <span class="v-grow">
      <strong>{title}</strong> {children}
    </span>
    {action}
  </div>
);

/** A button that copies a value that stands beside it. @param title What it copies, for screen readers. */
export function CopyValue({ title, text }: { title: string; text: string }): JSX.Element {
  const place = useRef<HTMLSpanElement>(null);
  return (
    <span ref={place} class="v-copy">
      <CopyButton isIcon title={title} source={() => place.current} text={text} />
    </span>
  );
}

export interface CardProps {
  title: ComponentChildren;
  /** Beside the title. */
  note?: ComponentChildren;
  action?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

export const Card = ({ title, note, action, class: name, children }: CardProps): JSX.Element => (
  <section class={name === undefined ? "card" : `card ${name}`}>
    <header>
      <h2>{title}</h2>
      {note === undefined ? null : <span class="muted small">{note}</span>}
      <span class="end" />
      {action}
    </header>
    {children}
  </section>
);

export interface Property {
  label: string;
  /** Shown as code, and what the button copies. */
  text: string;
  /** The meaning, beside the value. */
  note?: ComponentChildren;
  /** Colours the value: one of the parts of a larger whole. */
  class?: string | undefined;
}

/** Rows of a label, a value and a button that copies it. */
export const Properties = ({ rows }: { rows: readonly Property[] }): JSX.Element => (
  <dl class="v-props">
    {rows.map(({ label, text, note, class: name }, index) => (
      <div key={index}>
        <dt>
          <Glyphs>{label}</Glyphs>
        </dt>
        <dd>
          <span class="v-grow">
            {text === "" ? (
              <span class="muted">empty</span>
            ) : (
              <code class={name}>
                <Glyphs>{text}</Glyphs>
              </code>
            )}
            {note === undefined ? null : <span class="muted small">{note}</span>}
          </span>
          {text === "" ? null : <CopyValue title={label} text={text} />}
        </dd>
      </div>
    ))}
  </dl>
);

/** The tab that shows the result as the API gives it. */
export const rawTab = (label: string, language?: string): ViewTab => ({
  id: "raw",
  label,
  Component: codeOf(language),
});

export const jsonTab: ViewTab = rawTab("JSON", "json");
export const textTab: ViewTab = rawTab("Text");

/** Returns the name of a member in words: "notBefore" as "Not before". */
export function toWords(name: string): string {
  if (!/^[a-z][A-Za-z\d_]*$/.test(name)) return name;
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll("_", " ");
  return words[0]?.toUpperCase() + words.slice(1).toLowerCase();
}
