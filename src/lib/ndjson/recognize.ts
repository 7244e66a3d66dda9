import { validateJson } from "../json/validate.ts";
import { isBlankLine, linesOf } from "./lines.ts";

/** Reports whether a text has several lines, and each is an array or an object of JSON or blank. */
export function isJsonLines(text: string): boolean {
  let documents = 0;
  for (const { text: line } of linesOf(text)) {
    if (isBlankLine(line)) continue;
    if (!/^[ \t]*[[{]/.test(line) || validateJson(Buffer.from(line), { duplicateKeys: "allow" }).length > 0)
      return false;
    documents++;
  }
  return documents > 1;
}
