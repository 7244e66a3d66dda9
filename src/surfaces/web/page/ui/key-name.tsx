import type { JSX } from "preact";
import { Text, toVisible } from "./text.tsx";

export interface NamedKey {
  name: string | null;
  /** Its first characters. */
  start: string;
}

/** The name and the first characters of a key. */
export const KeyName = ({ of: { name, start } }: { of: NamedKey }): JSX.Element => (
  <>
    {name === null ? null : (
      <>
        <strong>
          <Text>{name}</Text>
        </strong>{" "}
      </>
    )}
    <code class="muted">{start}…</code>
  </>
);

/** Returns the name of a key in the label of a button. */
export const nameOfKey = ({ name, start }: NamedKey): string => toVisible(name ?? start);
