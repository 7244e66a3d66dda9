import { OptionFault } from "../fault.ts";

/**
 * A glob for one whole line as an expression of RE2: * is any text, ? one character, [a-z] one of a set,
 * [!a-z] one of the others; a backslash takes the next character as it is.
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
      if (next === undefined) throw new OptionFault("Nothing follows the last backslash.", { index: at });
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
    throw new OptionFault("The set that begins with [ has no end; \\[ is a bracket.", { index: at });
  }
  const members = inside.replaceAll(/\\?([^])/gu, (_, member: string) =>
    member === "-" ? "-" : quote(member),
  );
  return [`[${not ? "^" : ""}${members}]`, at + whole.length];
}

const quote = (char: string): string => (/[\w\s]|[^\0-\x7f]/.test(char) ? char : `\\${char}`);
