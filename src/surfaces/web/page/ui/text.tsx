import type { JSX } from "preact";

/**
 * A text that others chose, such as the name of a key: isolated from the direction of the text around it, with control and
 * format characters shown, so that none can hide or reorder what is beside it.
 */
export const Text = ({ children }: { children: string }): JSX.Element => <bdi>{toVisible(children)}</bdi>;

/** @param keepLines Whether line ends and tabs stay, as in the body of a message. */
export const toVisible = (text: string, keepLines = false): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    keepLines && (character === "\n" || character === "\t")
      ? character
      : `⟨${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
