import { DocumentFault } from "../fault.ts";
import type { One } from "./program.ts";

/** POSIX character classes, in ASCII as in a shell without a locale. */
const named: Record<string, RegExp> = {
  alpha: /^[A-Za-z]$/,
  digit: /^\d$/,
  alnum: /^[A-Za-z\d]$/,
  upper: /^[A-Z]$/,
  lower: /^[a-z]$/,
  space: /^[ \t-\r]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  xdigit: /^[\dA-Fa-f]$/,
  word: /^\w$/,
  blank: /^[ \t]$/,
};

const ascii = Array.from({ length: 128 }, (_, code) => code);

/**
 * Reads [abc], [!a-z] or [[:digit:]] after its first bracket; it never matches a slash. Returns undefined and
 * reads nothing if it is not closed: the bracket is then literal.
 * @throws DocumentFault if it contains an invalid range or class name.
 */
export function readClass(reader: { readonly glob: string; at: number }, start: number): One | undefined {
  const { glob } = reader;
  const negated = glob[start + 1] === "!" || glob[start + 1] === "^";
  let at = start + (negated ? 2 : 1);
  const tests: ((character: string) => boolean)[] = [];
  const edges = [0x2f, 0x30];
  // A leading ] is one of the characters.
  for (let first = true; first || glob[at] !== "]"; first = false) {
    if (at >= glob.length) return undefined;
    const name = /^\[:([a-z]{1,20}):\]/.exec(glob.slice(at, at + 26));
    if (name !== null) {
      const pattern = Object.hasOwn(named, name[1] as string) ? named[name[1] as string] : undefined;
      if (pattern === undefined) throw new DocumentFault("This class name is unknown.", { index: at });
      tests.push((character) => pattern.test(character));
      edges.push(...ascii);
      at += name[0].length;
      continue;
    }
    const from = characterAt(glob, at);
    const dash = from.next;
    if (glob[dash] !== "-" || glob[dash + 1] === "]" || dash + 1 >= glob.length) {
      const point = from.character.codePointAt(0) ?? 0;
      edges.push(point, point + 1);
      tests.push((character) => character === from.character);
      at = dash;
      continue;
    }
    const to = characterAt(glob, dash + 1);
    const [low, high] = [from.character, to.character].map((character) => character.codePointAt(0) ?? 0) as [
      number,
      number,
    ];
    if (low > high) throw new DocumentFault("The range ends before it begins.", { index: at });
    edges.push(low, high + 1);
    tests.push((character) => {
      const point = character.codePointAt(0) ?? 0;
      return point >= low && point <= high;
    });
    at = to.next;
  }
  reader.at = at + 1;
  const test = (character: string): boolean =>
    character !== "/" && tests.some((matches) => matches(character)) !== negated;
  return { kind: "one", test, edges };
}

function characterAt(glob: string, at: number): { character: string; next: number } {
  const from = glob[at] === "\\" && at + 1 < glob.length ? at + 1 : at;
  const character = String.fromCodePoint(glob.codePointAt(from) ?? 0);
  return { character, next: from + character.length };
}
