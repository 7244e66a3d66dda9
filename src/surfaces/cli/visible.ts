/**
 * Text as a terminal may show it. A document, a file name or an argument could otherwise carry escape sequences
 * that rewrite the screen, or bidirectional controls that turn a line around. One character stays one character.
 */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });

/** The same for text of several lines that is ours but may quote what is not. */
export const visibleLines = (text: string): string => text.split("\n").map(visible).join("\n");
