/**
 * Returns what is wrong with a pattern of branches, tags or paths, as GitHub reads it: `*`, `**`, `?` and `+` (the character
 * before it, none or many times), `[]` and `!`.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
 */
export function findGlobFault(
  pattern: string,
  kind: "ref" | "path",
): { message: string; index: number } | undefined {
  const at = (index: number, message: string) => ({ message, index });
  const start = pattern.startsWith("!") ? 1 : 0;
  if (pattern.length === start)
    return at(0, start === 1 ? "A pattern is missing after !." : "A pattern must not be empty.");
  if (/^\s|\s$/.test(pattern)) return at(0, "A pattern must not begin or end with a space.");
  if (kind === "path") {
    const dots = /(?:^|\/)\.\.?(?:\/|$)/.exec(pattern.slice(start));
    if (dots !== null)
      return at(
        start + dots.index,
        "A pattern must not have . or .. as a name: paths begin at the root of the repository.",
      );
  } else {
    const wrong = /^\/|\/$|\/\/|\.\.|[\s~^:]/.exec(pattern.slice(start));
    if (wrong !== null)
      return at(
        start + wrong.index,
        `No name of a branch or tag has ${wrong[0].trim() === "" ? "a space" : JSON.stringify(wrong[0])} here.`,
      );
  }
  for (let index = start; index < pattern.length; index++) {
    const character = pattern[index] as string;
    if (character === "\\") {
      if (!/[[\]?*+\\!]/.test(pattern[index + 1] ?? ""))
        return at(index, "A backslash must stand before one of [ ] ? * + ! and \\.");
      index++;
    } else if (character === "?" || character === "+") {
      const before = pattern[index - 1];
      if (index === start || before === "*" || before === "?" || before === "+")
        return at(
          index,
          `${character} repeats the character before it, and there is none that it can repeat.`,
        );
    } else if (character === "[") {
      const end = pattern.indexOf("]", index + 1);
      if (end < 0) return at(index, "[ lacks its ].");
      const content = pattern.slice(index + 1, end);
      if (content === "") return at(index, "[] has no character in it.");
      for (const [range, from = "", to = ""] of content.matchAll(/(.)-(.)/gsu))
        if (from > to) return at(index, `The range ${range} ends before it begins.`);
      index = end;
    }
  }
  return undefined;
}
