/** A name with its colon, a string, a number or a literal. A string that does not end in its line ends with it. */
export const jsonTokens =
  /(?<key>"(?:[^"\\]|\\.)*")\s*:|(?<string>"(?:[^"\\]|\\.)*"?)|(?<number>-?\b\d[\d.eE+-]*)|\b(?<atom>true|false|null)\b/g;
