/** What `\d`, `\w` and `\s` hold in jq, in the notation of RE2. */
const classes: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  w: "\\p{L}\\p{M}\\p{N}\\p{Pc}",
  s: "\\s\\x{85}\\p{Z}",
};

/** Rewrites the classes of a pattern so that they hold letters, digits and white space of all scripts. */
export function forUnicode(pattern: string): string {
  let result = "";
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const unit = pattern[at] as string;
    if (unit !== "\\") {
      if (unit === "[" && !inClass) inClass = true;
      else if (unit === "]") inClass = false;
      result += unit;
      continue;
    }
    const letter = pattern[++at] ?? "";
    const held = classes[letter.toLowerCase()];
    if (held === undefined || (inClass && letter !== letter.toLowerCase())) result += unit + letter;
    else if (inClass) result += held;
    else result += letter === letter.toLowerCase() ? `[${held}]` : `[^${held}]`;
  }
  return result;
}
