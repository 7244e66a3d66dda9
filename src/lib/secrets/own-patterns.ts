import { OptionFault } from "../fault.ts";
import { matchAllRe2 } from "../regex/re2.ts";
import type { Span } from "./personal.ts";

/**
 * Lists the matches of regular expressions (RE2); skips empty matches.
 * @throws OptionFault that names the pattern by its number, from 0.
 */
export async function findPatterns(text: string, patterns: readonly string[]): Promise<Span[]> {
  const spans: Span[] = [];
  for (const [number, pattern] of patterns.entries()) {
    try {
      for (const { 0: match, index } of await matchAllRe2(pattern, "", text))
        if (match !== "") spans.push({ kind: "pattern", index, end: index + match.length });
    } catch (error) {
      throw error instanceof OptionFault ? new OptionFault(`patterns[${number}]: ${error.message}`) : error;
    }
  }
  return spans;
}
