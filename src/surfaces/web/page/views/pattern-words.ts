/** A piece of a regular expression and what it means. */
export interface PatternPart {
  text: string;
  words: string;
  /** The number of groups around it. */
  depth: number;
  /** The colour of the piece. */
  kind: "key" | "word" | "number" | "plain";
}

/** Pieces that mean something by themselves; the first that fits counts. */
const pieces: readonly (readonly [
  pattern: RegExp,
  words: (found: RegExpExecArray) => string,
  kind: PatternPart["kind"],
])[] = [
  [/\(\?P?<([^>=!]+)>/y, ([, name]) => `the group “${name}”`, "key"],
  [/\(\?:/y, () => "together", "key"],
  [/\(\?=/y, () => "where next is", "key"],
  [/\(\?!/y, () => "where next is not", "key"],
  [/\(\?<=/y, () => "where before is", "key"],
  [/\(\?<!/y, () => "where before is not", "key"],
  [/\(\?([a-z-]+):/y, ([, flags]) => `with the flags ${flags}`, "key"],
  [/\(\?([a-z-]+)\)/y, ([, flags]) => `from here with the flags ${flags}`, "key"],
  [/\(/y, () => "a group", "key"],
  [/\)/y, () => "end of the group", "key"],
  [/\[\^((?:\\.|[^\]])*)\]/y, ([, set]) => `one character that is none of ${set}`, "word"],
  [/\[((?:\\.|\[:\w+:\]|[^\]])*)\]/y, ([, set]) => `one character of ${set}`, "word"],
  [/\{(\d+)\}\??/y, ([, count]) => `${count} times`, "number"],
  [/\{(\d+),\}(\??)/y, ([, least, lazy]) => `${least} or more times${toLazy(lazy)}`, "number"],
  [/\{(\d+),(\d+)\}(\??)/y, ([, least, most, lazy]) => `${least} to ${most} times${toLazy(lazy)}`, "number"],
  [/\*(\??)/y, ([, lazy]) => `any number of times${toLazy(lazy)}`, "number"],
  [/\+(\??)/y, ([, lazy]) => `once or more${toLazy(lazy)}`, "number"],
  [/\?(\??)/y, ([, lazy]) => `once or not at all${toLazy(lazy)}`, "number"],
  [/\|/y, () => "or", "key"],
  [/\^/y, () => "the beginning of the text, or of a line with the flag m", "word"],
  [/\$/y, () => "the end of the text, or of a line with the flag m", "word"],
  [/\./y, () => "any character", "word"],
  [/\\k<([^>]+)>/y, ([, name]) => `the same text as the group “${name}”`, "key"],
  [/\\([1-9]\d*)/y, ([, number]) => `the same text as group ${number}`, "key"],
  [
    /\\([pP])(?:\{([^}]+)\}|(\w))/y,
    ([, sign, name, letter]) =>
      `a character ${sign === "P" ? "without" : "with"} the property ${name ?? letter}`,
    "word",
  ],
  [
    /\\x\{([\da-f]+)\}|\\u\{([\da-f]+)\}|\\x([\da-f]{2})|\\u([\da-f]{4})/iy,
    ([, a, b, c, d]) => `the character U+${(a ?? b ?? c ?? d ?? "").toUpperCase().padStart(4, "0")}`,
    "word",
  ],
  [/\\([dDwWsSbBAzZntrfv])/y, ([, letter = ""]) => escapes[letter] ?? "", "word"],
  [/\\([^])/y, ([, character]) => `the character ${character}`, "plain"],
];

const toLazy = (sign: string | undefined): string => (sign === "?" ? ", as few as possible" : "");

const escapes: Readonly<Record<string, string>> = {
  d: "a digit",
  D: "no digit",
  w: "a letter, digit or _",
  W: "no letter, digit or _",
  s: "white space",
  S: "no white space",
  b: "the edge of a word",
  B: "not the edge of a word",
  A: "the beginning of the text",
  z: "the end of the text",
  Z: "the end of the text",
  n: "a line feed",
  t: "a tab",
  r: "a carriage return",
  f: "a form feed",
  v: "a vertical tab",
};

/** Returns the pieces of a pattern in words. Nothing is refused here: the tool has taken the pattern. */
export function explainPattern(pattern: string): PatternPart[] {
  const parts: PatternPart[] = [];
  let depth = 0;
  for (let at = 0; at < pattern.length;) {
    const found = findPiece(pattern, at);
    if (found === undefined) {
      const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
      const last = parts.at(-1);
      if (
        last?.words.startsWith("the text ") === true &&
        !/^[*+?{]/.test(pattern.slice(at + character.length))
      ) {
        last.text += character;
        last.words = `the text ${last.text}`;
      } else parts.push({ text: character, words: `the text ${character}`, depth, kind: "plain" });
      at += character.length;
      continue;
    }
    const { text, words, kind } = found;
    if (text === ")") depth = Math.max(depth - 1, 0);
    parts.push({ text, words, depth, kind });
    if (text.startsWith("(") && !text.endsWith(")")) depth++;
    at += text.length;
  }
  return parts;
}

function findPiece(pattern: string, at: number): Omit<PatternPart, "depth"> | undefined {
  for (const [piece, words, kind] of pieces) {
    piece.lastIndex = at;
    const found = piece.exec(pattern);
    if (found !== null) return { text: found[0], words: words(found), kind };
  }
  return undefined;
}
