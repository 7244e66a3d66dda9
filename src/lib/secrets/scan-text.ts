/** Places where a search has to look, found in one pass over a text. */
export interface Candidates {
  /** Positions where a word of a secret's name may begin, such as `pass` in `dbPassword`. */
  hints: number[];
  /** Positions where the first two characters are those of a mark. */
  marks: number[];
}

/** Bits of a pair of characters: it begins a hint, a mark at the beginning of a word, or a mark anywhere. */
const hint = 1;
const wordMark = 2;
const anyMark = 4;

const toPair = (first: number, second: number): number => (first << 7) | second;

/** @param words Marks that count only at the beginning of a word. */
export function createScan(
  words: readonly string[],
  anywhere: readonly string[],
): (text: string) => Candidates {
  const flags = new Uint8Array(1 << 14);
  /** By pair, a bit for each character that may follow it in a mark. */
  const follow = new Uint32Array(1 << 16);
  for (const [first, second] of hintStarts)
    for (const one of [first, first.toUpperCase()])
      for (const two of [second, second.toUpperCase()]) add(one + two, hint);
  for (const mark of words) add(mark, wordMark);
  for (const mark of anywhere) add(mark, anyMark);
  return scan;

  function add(mark: string, flag: number): void {
    const pair = toPair(mark.charCodeAt(0), mark.charCodeAt(1));
    flags[pair] = (flags[pair] as number) | flag;
    if (flag === hint) return;
    for (let word = 0; word < 4; word++) {
      const third =
        mark.length < 3 ? -1 : mark.charCodeAt(2) >> 5 === word ? 1 << (mark.charCodeAt(2) & 31) : 0;
      follow[pair * 4 + word] = (follow[pair * 4 + word] as number) | third;
    }
  }

  function scan(text: string): Candidates {
    const hints: number[] = [];
    const marks: number[] = [];
    let before = 0;
    let code = text.charCodeAt(0);
    for (let at = 0; at < text.length - 1; at++) {
      const next = text.charCodeAt(at + 1);
      if ((code | next) < 128) {
        const found = flags[(code << 7) | next] as number;
        if (found !== 0) {
          if ((found & hint) !== 0 && isHint(text, at)) hints.push(at);
          if (
            found > hint &&
            ((found & anyMark) !== 0 || (wordCodes[before] ?? 0) === 0 || followsEscape(text, at)) &&
            goesOn((code << 7) | next, text.charCodeAt(at + 2))
          )
            marks.push(at);
        }
      }
      before = code;
      code = next;
    }
    return { hints, marks };
  }

  function goesOn(pair: number, third: number): boolean {
    return third < 128 && (((follow[pair * 4 + (third >> 5)] as number) >>> (third & 31)) & 1) === 1;
  }
}

const wordCodes = Uint8Array.from({ length: 128 }, (_, code) =>
  /\w/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** The letter before a token may belong to \n in a string or to %3D in a URL. */
const followsEscape = (text: string, at: number): boolean =>
  text[at - 2] === "\\"
    ? /[nrt]/.test(text.charAt(at - 1))
    : text[at - 3] === "%" && /[\dA-Fa-f]{2}/.test(text.slice(at - 2, at));

/** Every name of a secret contains one of these. */
export const nameHint =
  /pass|pwd|secret|token|key|auth|cred|bearer|psk|jwt|pw(?![a-z])|kennwort|contrasena|senha|identified[ \t]by/iy;

const hintStarts: readonly (readonly [string, string])[] = [
  "pa",
  "pw",
  "se",
  "to",
  "ke",
  "au",
  "cr",
  "be",
  "ps",
  "jw",
  "co",
  "id",
].map((pair) => [pair[0] as string, pair[1] as string]);

/** By the last letter of a pair and the letter after it: most pairs end here, without a regular expression. */
const thirds = new Set(
  "as wd ec en ok ey en ut re ea sk wt on de"
    .split(" ")
    .map((pair) => toPair(pair.charCodeAt(0), pair.charCodeAt(1))),
);

function isHint(text: string, at: number): boolean {
  const second = text.charCodeAt(at + 1) | 32;
  if (second !== 0x77 && !thirds.has(toPair(second, text.charCodeAt(at + 2) | 32))) return false;
  nameHint.lastIndex = at;
  return nameHint.test(text);
}
