/** Escapes text for the content or an attribute of XML. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Returns the index of the first character that XML 1.0 §2.2 forbids even escaped, controls and lone
 * surrogates, or -1.
 */
export const findNotXml = (text: string): number =>
  // oxlint-disable-next-line no-control-regex
  text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u);

/**
 * Reports whether the text is a colour: hexadecimal digits after #, or one word. Nothing else may reach an
 * attribute or a style.
 */
export const isColor = (text: string): boolean =>
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]{3,24})$/i.test(text);
