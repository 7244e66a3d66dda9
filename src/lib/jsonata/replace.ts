import type { Budget } from "../budget.ts";

/** An argument of `$replace`: a text, or a function that finds matches or makes replacements. */
export type Part = string | ((...parameters: unknown[]) => unknown);

interface Match {
  match: string;
  groups: (string | undefined)[];
  next: Part;
}

/** V8 makes such a piece of a rope for each `+=`. */
const pieceUnits = 32;

/** Charges the result of `$replace` to the budget, one match at a time. */
export function boundReplace(
  text: string,
  pattern: Part,
  replacement: Part,
  limit: number | undefined,
  budget: Budget,
): { pattern: Part; replacement: Part } {
  budget.text(text.length);
  if (typeof pattern === "string") {
    if (pattern === "" || typeof replacement !== "string") return { pattern, replacement };
    let count = 0;
    for (let at = text.indexOf(pattern); at >= 0 && count < (limit ?? Infinity); count++)
      at = text.indexOf(pattern, at + pattern.length);
    budget.text(count * (replacement.length + 2 * pieceUnits));
    return { pattern, replacement };
  }
  if (typeof replacement !== "string") {
    return {
      pattern,
      replacement: async (...parameters) => {
        const made = await replacement(...parameters);
        if (typeof made === "string") budget.text(made.length + 2 * pieceUnits);
        return made;
      },
    };
  }
  const references = replacement.split("$").length - 1;
  const bound = (matcher: Part): Part => {
    if (typeof matcher === "string") return matcher;
    return async (...parameters) => {
      const found = (await matcher(...parameters)) as Match | undefined;
      if (typeof found?.match !== "string" || !Array.isArray(found.groups)) return found;
      const longest = Math.max(found.match.length, ...found.groups.map((group) => group?.length ?? 0));
      budget.text(replacement.length + references * longest + (references + 2) * pieceUnits);
      return { ...found, next: bound(found.next) };
    };
  };
  return { pattern: bound(pattern), replacement };
}
