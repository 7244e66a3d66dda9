import type { JSX } from "preact";
import { toHex, unseen } from "../editor/unseen.ts";

export interface GlyphsProps {
  children: string;
  /** Whether tabs, spaces at the end of a line and the line's end are drawn, too. */
  white?: boolean;
}

/**
 * A text of somebody else, isolated from the direction of what is around it; characters that nobody sees are boxes with their
 * numbers (UTS #55). What is copied from it has the characters themselves.
 */
export function Glyphs({ children, white = false }: GlyphsProps): JSX.Element {
  return <bdi dir="ltr">{white ? drawWhite(children) : drawUnseen(children)}</bdi>;
}

function drawUnseen(text: string): JSX.Element | string {
  const parts: (JSX.Element | string)[] = [];
  let from = 0;
  for (const { index, 0: character } of text.matchAll(unseen)) {
    parts.push(
      text.slice(from, index),
      <span class="v-unseen" data-n={toHex(character)} key={index}>
        {character}
      </span>,
    );
    from = index + character.length;
  }
  return from === 0 ? text : <>{[...parts, text.slice(from)]}</>;
}

function drawWhite(text: string): JSX.Element {
  return (
    <>
      {text.split(/(\t| +$|\r|\n)/m).map((part, index) =>
        index % 2 === 0 ? (
          drawUnseen(part)
        ) : (
          <span class={whiteClasses[part[0] ?? ""]} key={index}>
            {part}
          </span>
        ),
      )}
    </>
  );
}

const whiteClasses: Readonly<Record<string, string>> = {
  "\t": "v-white v-tab",
  " ": "v-white v-space",
  "\r": "v-white v-cr",
  "\n": "v-white v-lf",
};
