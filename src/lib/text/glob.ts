import { OptionFault } from "../fault.ts";

/**
 * Converts a glob for one whole line to an RE2 expression: * is any text, ? one character, [a-z] a set,
 * [!a-z] its complement; a backslash escapes the next character.
 * @throws OptionFault
 */
export function globToRe2(glob: string): string {
  let pattern = "";
  for (let at = 0; at < glob.length;) {
    const char = String.fromCodePoint(glob.codePointAt(at) as number);
    if (char === "[") {
      const [set, end] = readSet(glob, at);
      pattern += set;
      at = end;
      continue;
    }
    if (char === "*") pattern += pattern.endsWith(".*") ? "" : ".*";
    else if (char === "?") pattern += ".";
    else if (char === "\\") {
      const next = glob.codePointAt(at + 1);
      if (next === undefined)
        throw new OptionFault("The last backslash needs a character after it.", { index: at });
      const literal = String.fromCodePoint(next);
      pattern += quote(literal);
      at += literal.length;
    } else pattern += quote(char);
    at += char.length;
  }
  return `^(?s:${pattern})$`;
}

function readSet(glob: string, at: number): [set: string, end: number] {
  const [whole, not, inside] = /^\[([!^]?)(\]?(?:\\[^]|[^\]\\])*)\]/u.exec(glob.slice(at)) ?? [];
  if (whole === undefined || inside === undefined || inside === "") {
    throw new OptionFault("The set that begins with [ is not closed; write \\[ for a bracket.", {
      index: at,
    });
  }
  const members = inside.replaceAll(/\\?([^])/gu, (_, member: string) =>
    member === "-" ? "-" : quote(member),
  );
  return [`[${not ? "^" : ""}${members}]`, at + whole.length];
}

const quote = (char: string): string => (/[\w\s]|[^\0-\x7f]/.test(char) ? char : `\\${char}`);
