import type { ComponentChildren, JSX } from "preact";
import { adoptSheet } from "../views/sheet.ts";
import sheet from "./coloured.css";
import type { Piece } from "./piece.ts";

adoptSheet(sheet);

export interface ColouredProps {
  /** All of the text; undefined if it has one colour. */
  pieces: readonly Piece[] | undefined;
  /** The direction of the text area. */
  dir: "ltr" | "auto";
  /** The text area. */
  children: ComponentChildren;
}

/** A text area with colours: it has only one of its own, so its text is transparent below the pieces. */
export function Coloured({ pieces, dir, children }: ColouredProps): JSX.Element {
  const isDrawn = pieces !== undefined && pieces.length > 0 && canGrow;
  return (
    <span class="coloured">
      {children}
      {isDrawn ? (
        <span aria-hidden="true" dir={dir}>
          {pieces.map(({ text, kind }, index) =>
            kind === undefined ? (
              text
            ) : (
              <span class={`in-${kind}`} key={index}>
                {text}
              </span>
            ),
          )}
          {/* A line feed at the end of a text begins no line in an element. */}
          {pieces.at(-1)?.text.endsWith("\n") === true ? "\u200b" : null}
        </span>
      ) : null}
    </span>
  );
}

/** Where a text area does not grow with its text, it would scroll by itself, and the colours would stay. */
const canGrow = CSS.supports("field-sizing", "content");
