/**
 * Returns a pattern with flag x (PCRE, Perl, Python's re.VERBOSE) without the flag: white space and comments from # to the end of the line go, except
 * in classes and after a backslash.
 */
export const withoutLayout = (pattern: string, flags: string): { pattern: string; flags: string } =>
  flags.includes("x") ? { pattern: strip(pattern), flags: flags.replace("x", "") } : { pattern, flags };

function strip(pattern: string): string {
  let result = "";
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string;
    if (character === "\\") {
      const next = pattern[++at] ?? "";
      // An escaped space is a space; neither engine knows the escape in all its modes.
      result += next === " " ? "[ ]" : next === "#" ? "[#]" : character + next;
      continue;
    }
    if (inClass) inClass = character !== "]";
    else if (character === "[") {
      inClass = true;
      // A bracket that begins a class is a part of it.
      const start = /^\[\^?\]?/.exec(pattern.slice(at))?.[0] ?? "[";
      result += start;
      at += start.length - 1;
      continue;
    } else if (/\s/.test(character)) continue;
    else if (character === "#") {
      while (at < pattern.length && pattern[at] !== "\n") at++;
      continue;
    }
    result += character;
  }
  return result;
}
