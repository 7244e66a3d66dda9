/**
 * Estimates the bits that a value holds for a reader who knows words and numbers: names, paths and sentences hold few, random text
 * holds many. Letters outside ASCII hold none, because labels of programs are written with them.
 */
export function toBits(value: string): number {
  let bits = 0;
  let inner = 0;
  for (const { 0: run, index } of value.matchAll(/[A-Za-z]+|\d+|[^A-Za-z\d]+/g)) {
    const first = run.charCodeAt(0);
    if (isDigit(first)) {
      bits += costOf(run, 3.3);
      // Names have their digits at the end of words.
      if (isLetter(value.charCodeAt(index - 1)) && isLetter(value.charCodeAt(index + run.length))) inner++;
    } else if (isLetter(first)) for (const piece of run.match(pieces) ?? []) bits += toPieceBits(piece);
    else if (run.length === 1 && separators.includes(run)) bits += 1;
    else if (first < 127) bits += costOf(run, 4.4);
  }
  return bits + Math.max(0, inner - 1) * 5;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;

const separators = "-_./:, ";

/** The words of a name in camel case; a run of capitals is an acronym. */
const pieces = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

function toPieceBits(piece: string): number {
  const { length } = piece;
  if (length >= 3 && isWord(piece)) return 3 + 0.3 * length;
  if (short.has(piece.toLowerCase())) return 3;
  if (length <= 6) return costOf(piece, length === 1 ? 4.7 : 2 + 4 / length);
  return costOf(piece, 4.7);
}

const short = new Set(
  "it is in on to of at as an by or no my we do go up id db ok us js ts os io ui ip fs".split(" "),
);

/** Characters that repeat or continue the one before them, as in `aaaa` and `abcd`, hold next to nothing. */
function costOf(run: string, each: number): number {
  let cost = each;
  for (let at = 1; at < run.length; at++) {
    const step = run.charCodeAt(at) - run.charCodeAt(at - 1);
    cost += step >= -1 && step <= 1 ? each * 0.15 : each;
  }
  return cost;
}

/** Reports whether letters follow each other as in words; random letters do in 1 of 100 runs of 10, and in fewer longer ones. */
export function isWord(letters: string): boolean {
  let sum = 0;
  for (let at = 1; at < letters.length; at++)
    sum += Number(pairs[toLetter(letters, at - 1)]?.[toLetter(letters, at)]);
  const most = 4.3 - Math.max(0, letters.length - 6) * 0.07;
  return sum / (letters.length - 1) <= Math.max(3.2, most);
}

const toLetter = (text: string, at: number): number => (text.charCodeAt(at) | 32) - 97;

/**
 * By letter, the bits that each following letter holds, less a half and cut to 1 to 9: from a to z. Counted in 8,828 words of
 * documentation and source code.
 */
const pairs: readonly string[] =
  "74347649496343949342567859 35562676357268378346399959 37562793494489289462499969 36541568279567468537479869 46325568688443756224857479 36562378299387299455499949 47791753299453478346479978 28781989398658287453499969 55444549998441358533859795 38692797586868267927363777 47651568299674667826596979 37742679297388379745469949 25871889288547339848599989 38333528496675479732558979 66447669585442549244454779 28872775497378349243499979 77667897879379785557197868 38551759395655379534568959 49482794396577448732376959 38572793299679379334597959 44454559499342649333899899 27791859299897499887799999 28972873396693379336996899 45352596398759729962989769 54574568499433329734875996 29651998389579389557699645".split(
    " ",
  );
