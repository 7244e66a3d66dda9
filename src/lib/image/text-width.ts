/**
 * Approximates the width of a text in Verdana at 11 pixels, the font of badges; widths are in tenths of a
 * pixel. The layout does not depend on it, because `textLength` fixes the width. Unlisted characters count as
 * wide letters.
 */
export function textWidth(text: string): number {
  let tenths = 0;
  for (const character of text) tenths += widthOf(character);
  return tenths / 10;
}

function widthOf(character: string): number {
  for (const [characters, width] of widths) if (characters.includes(character)) return width;
  const point = character.codePointAt(0) ?? 0;
  if (/^\p{Mark}$/u.test(character)) return 0;
  // Ideographs, Hangul syllables and emoji are as wide as the font is high.
  return point >= 0x1100 && !/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u.test(character)
    ? 110
    : 70;
}

const widths: readonly (readonly [string, number])[] = [
  ["aeghnpqubdoöüäéèàáó", 67],
  ["il|'jIJ", 34],
  [" .,", 39],
  ["ftr", 43],
  ["csz", 57],
  ["kvxy", 65],
  ["w", 90],
  ["m", 107],
  ["0123456789$_#", 70],
  ["-()[]/\\:;", 50],
  ["!", 43],
  ['?"*', 60],
  ["+<>=~^", 90],
  ["%", 118],
  ["@", 110],
  ["ABCDEFGKLPRSTUVXYZ", 75],
  ["HNOQ", 85],
  ["M", 93],
  ["W", 109],
  ["&", 80],
];
