import { DocumentFault } from "../fault.ts";
import { lexCsv } from "./lex.ts";

const candidates = [",", ";", "\t", "|"];

/** Names of delimiters that are hard to type. */
const words: ReadonlyMap<string, string> = new Map([
  ["tab", "\t"],
  ["\\t", "\t"],
]);

/**
 * Returns the delimiter that the caller named or, for `auto`, the one that splits the first records most
 * evenly.
 */
export function toDelimiter(named: string, text = "", quote = '"', comment = ""): string {
  return named === "auto" ? guess(text, quote, comment) : (words.get(named) ?? named);
}

function guess(text: string, quote: string, comment: string): string {
  // A sample keeps the guess cheap.
  const sample = text.slice(0, 65_536);
  let best = ",";
  let bestScore = 0;
  for (const delimiter of candidates) {
    const widths: number[] = [];
    try {
      lexCsv(
        sample,
        { delimiter, quote, comment, quotes: "lenient" },
        {
          onRecord({ fields, from, to }) {
            if (to > from) widths.push(fields.length);
            return widths.length < 10;
          },
        },
      );
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
    }
    const [first = 1] = widths;
    const even = widths.filter((width) => width === first).length / Math.max(1, widths.length);
    const score = first > 1 ? even * 1000 + Math.min(first, 999) : 0;
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}
