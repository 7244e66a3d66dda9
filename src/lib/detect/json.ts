import { markLength } from "../json/byte-order-mark.ts";
import { validateJson } from "../json/validate.ts";
import { cutAtLine, type Sample } from "./sample.ts";
import { type Guess, shareOf } from "./guess.ts";
import { findShapes } from "./json-shape.ts";

/** Longest document whose values are looked at; a longer one is only validated. */
const maxShaped = 256 * 1024;

/** JSON and its dialects, NDJSON, and texts that are meant to be JSON. */
export function detectJson(sample: Sample): Guess[] {
  const { text } = sample;
  if (/^(?:true|false|null)$/.test(text)) return [guess("json", 0.6, "It is a word of JSON.")];
  if (!/^[[{]/.test(text)) return text.startsWith('"') && sample.whole ? detectString(text) : [];
  // A document that is longer than the sample is validated as far as it is cheap: its fault is its end.
  const cut = sample.size > sample.bytes.length;
  const bytes = (cut ? sample.bytes.subarray(0, maxShaped) : sample.bytes).subarray(markLength(sample.bytes));
  const end = bytes.length;
  const problems = validateJson(bytes, { duplicateKeys: cut ? "allow" : "error" });
  const broken = problems.find(({ rule }) => rule !== "duplicate-key");
  if (broken === undefined || (cut && (broken.rule === "truncated" || broken.offset >= end - 4))) {
    const repeated = problems.find(({ rule }) => rule === "duplicate-key");
    if (repeated !== undefined)
      return [
        guess("json-duplicates", 0.95, `It is JSON, but line ${repeated.line} repeats a key.`),
        guess("json", 0.8, "It is JSON, apart from repeated keys."),
      ];
    const json = guess("json", 0.85, cut ? "Its beginning is valid JSON." : "It is valid JSON (RFC 8259).");
    if (sample.size > maxShaped) return [json];
    const value = JSON.parse(Buffer.from(bytes).toString()) as unknown;
    return [json, ...findShapes(value, text)];
  }
  return detectLines(sample, broken.offset) ?? detectDialect(sample) ?? detectBroken(sample, broken.offset);
}

const guess = (kind: Guess["kind"], confidence: number, reason: string): Guess => ({
  kind,
  confidence,
  reason,
});

function detectString(text: string): Guess[] {
  if (text.length < 3 || validateJson(Buffer.from(text)).length > 0) return [];
  const decoded = Buffer.from(JSON.parse(text) as string);
  const escaped = text.includes("\\");
  const reason = "It is a JSON string in its quotes.";
  const options = { language: "json", quotes: true };
  return [{ kind: "json-string", confidence: escaped ? 0.95 : 0.7, reason, options, decoded }];
}

function detectLines({ text, lines, whole }: Sample, offset: number): Guess[] | undefined {
  const complete = whole ? lines : lines.slice(0, -1);
  const begun = complete.filter((line) => /^[[{]/.test(line));
  if (complete.length < 2 || begun.length < complete.length * 0.8) return detectPair(text, offset);
  const checked = complete.slice(0, 200);
  const valid = shareOf(checked, (line) => line.length < 2000 && isJson(line));
  const long = shareOf(checked, (line) => line.length >= 2000);
  if (valid + long > 0.99) {
    const lined = guess("ndjson", 0.95, "Each line is a JSON document.");
    if (complete.length > 2 || !whole) return [lined];
    return [lined, guess("json-pair", 0.93, "It has two JSON documents, one on each line.")];
  }
  if (valid < 0.5) return undefined;
  const wrong = checked.find((line) => !isJson(line)) ?? "";
  const reason = `Most lines are JSON documents, but not ${JSON.stringify(wrong.slice(0, 30))}.`;
  return [guess("ndjson-broken", 0.93, reason), guess("ndjson", 0.6, reason)];
}

/** Two indented documents, one after the other: the first fault is at the second. */
function detectPair(text: string, offset: number): Guess[] | undefined {
  const bytes = Buffer.from(text);
  const rest = bytes
    .subarray(offset)
    .toString()
    .replace(/^[\s,;]*(?:---+|===+)?\s*/, "");
  if (!/^[[{]/.test(rest) || !isJson(bytes.subarray(0, offset).toString()) || !isJson(rest)) return undefined;
  return [guess("json-pair", 0.93, "It has two JSON documents, one after the other.")];
}

const isJson = (text: string): boolean =>
  validateJson(Buffer.from(text), { duplicateKeys: "allow" }).length === 0;

function detectDialect({ text, whole }: Sample): Guess[] | undefined {
  if (!whole) return undefined;
  const bytes = Buffer.from(text);
  const fits = (dialect: "jsonc" | "json5"): boolean =>
    validateJson(bytes, { dialect, duplicateKeys: "allow" }).length === 0;
  if (fits("jsonc")) {
    const commented = text.includes("//") || text.includes("/*");
    return commented
      ? [guess("jsonc", 0.93, "It is JSON with comments (JSONC), as in tsconfig.json.")]
      : [guess("json-broken", 0.93, "It is JSON apart from trailing commas, which only JSONC allows.")];
  }
  if (!fits("json5")) return undefined;
  const json5 = guess("json5", 0.9, "It is valid as JSON5 only.");
  // Names and texts without quotes are usual in YAML.
  return /["']/.test(text)
    ? [json5]
    : [json5, guess("yaml", 0.85, "It is a collection of YAML in one line.")];
}

/** A text that begins with a member or an item is probably JSON. */
function detectBroken({ text }: Sample, offset: number): Guess[] {
  const head = cutAtLine(text, 4000);
  const object = /^\{\s*(?:["“][^"\n”]*["”]|'[^'\n]*'|[A-Za-z_$][\w$-]*)\s*:/.test(head);
  const array =
    /^\[\s*(?:\{\s*["'}]|\[\s*["\d[]|"[^"\n]*"\s*[,\n]|-?\d[\d.]*\s*,|(?:true|false|null)\s*,)/.test(head);
  if (!object && !array) return [];
  // A style sheet, a query and a template begin alike, but have no strings as names.
  const quoted = /["'”]\s*:|[{[,]\s*["']/.test(head);
  const known = quoted ? 0.9 : 0.5;
  const reason = `It begins like JSON; the first fault is at byte ${offset}.`;
  return [guess("json-broken", known, reason)];
}
