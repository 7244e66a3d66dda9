import { toDelimiter } from "../csv/dialect.ts";
import { lexCsv } from "../csv/lex.ts";
import type { DocumentFault } from "../fault.ts";
import type { Guess } from "./guess.ts";
import { cutAtLine, type Sample } from "./sample.ts";

/** CSV with any usual delimiter, also with records that are too short or quotes that are not closed. */
export function detectTable({ text, lines }: Sample): Guess[] {
  if (lines.length < 2 || /^[{[<|]/.test(text)) return [];
  const checked = cutAtLine(text, 32_768);
  const comment = text.startsWith("#") ? "#" : "";
  const delimiter = toDelimiter("auto", checked, '"', comment);
  const head = lines.find((line) => comment === "" || !line.startsWith(comment)) ?? "";
  if (!head.includes(delimiter)) return [];
  const widths: number[] = [];
  const faults: DocumentFault[] = [];
  let length = 0;
  let prose = 0;
  let ended = 0;
  const dialect = { delimiter, quote: '"', comment, quotes: "strict" } as const;
  lexCsv(checked, dialect, {
    onRecord({ fields, from, to }) {
      if (to === from) return;
      widths.push(fields.length);
      length += fields.length;
      if (fields.at(-1) === "") ended++;
      // A delimiter and a space is punctuation.
      prose += fields.filter(
        (field, index) => (index > 0 && /^ +\S/.test(field)) || field.length > 200,
      ).length;
    },
    onFault: (fault) => void faults.push(fault),
  });
  const [first = 1] = widths;
  if (widths.length === 0 || first < 2 || (widths.length < 2 && faults.length === 0)) return [];
  const even = widths.filter((width) => width === first).length / widths.length;
  const looksLikeCode = ended > widths.length * 0.6 && first === 2;
  const space = prose / Math.max(1, length - widths.length);
  if (looksLikeCode || (space > 0.5 && (even < 1 || widths.length < 3)) || isCode(text, delimiter)) return [];
  const kind = delimiter === "\t" ? "tsv" : delimiter === "," ? "csv" : "csv-delimited";
  const named = delimiter === "\t" ? "tabs" : `"${delimiter}"`;
  const weak = (first === 2 ? 0.05 : 0) + (widths.length < 3 ? 0.03 : 0) + (space > 0.5 ? 0.15 : 0);
  if (even === 1 && faults.length === 0)
    return [
      { kind, confidence: 0.94 - weak, reason: `Each record has ${first} fields, separated by ${named}.` },
    ];
  if (even < 0.4 || (even < 0.6 && first < 3 && faults.length === 0)) return [];
  const reason =
    faults[0]?.message ?? `Most records have ${first} fields, separated by ${named}, but not all of them.`;
  return [{ kind: "csv-broken", confidence: (even < 0.7 ? 0.8 : 0.9) - weak, reason }];
}

const isCode = (text: string, delimiter: string): boolean =>
  /^(?:import|from|function|const|let|var|class|public|select|insert|update|delete|create|with|curl|server|if|for|begin:|dn:)\b/i.test(
    text,
  ) ||
  /[{}]\s*$/m.test(text.slice(0, 1000)) ||
  (delimiter !== ";" && /;\s*$/m.test(text.slice(0, 1000)));
