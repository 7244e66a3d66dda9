/**
 * Removes accents from Latin letters, and replaces special Latin letters with ASCII. Other scripts stay: й is
 * a letter of its own, not an и with an accent.
 */
export function stripAccents(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  return text
    .normalize("NFD")
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .replaceAll(/[ßẞæÆøØœŒłŁđĐðÐþÞħĦŧŦıĸŋŊĳĲŉſ]/g, (letter) => letters.get(letter) ?? letter)
    .normalize("NFC");
}

const letters = new Map([
  ["ß", "ss"],
  ["ẞ", "SS"],
  ["æ", "ae"],
  ["Æ", "Ae"],
  ["ø", "o"],
  ["Ø", "O"],
  ["œ", "oe"],
  ["Œ", "Oe"],
  ["ł", "l"],
  ["Ł", "L"],
  ["đ", "d"],
  ["Đ", "D"],
  ["ð", "d"],
  ["Ð", "D"],
  ["þ", "th"],
  ["Þ", "Th"],
  ["ħ", "h"],
  ["Ħ", "H"],
  ["ŧ", "t"],
  ["Ŧ", "T"],
  ["ı", "i"],
  ["ĸ", "k"],
  ["ŋ", "n"],
  ["Ŋ", "N"],
  ["ĳ", "ij"],
  ["Ĳ", "IJ"],
  ["ŉ", "'n"],
  ["ſ", "s"],
]);
