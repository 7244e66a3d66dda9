import type { Row } from "./corpus.ts";

/** The adapter's entry for a slug of the suites: our tool for it, or the reason why there is none. */
export type Entry = Mapping | { none: string };

/** Their fields keep their names and values unless the entry says otherwise. */
export interface Mapping {
  tool: string;
  /** Their field → ours; null if it asks for what the tool does anyway. */
  fields?: Record<string, string | null>;
  /** By their field: their value → ours. */
  values?: Record<string, Record<string, unknown>>;
  /** Fields of ours that they do not have. */
  with?: Record<string, unknown>;
  /** Changes the input last, where one field of ours depends on several of theirs. */
  input?(input: Record<string, unknown>, row: Row): Record<string, unknown>;
  /** A field, or `field=value`, that none of our tools has → the reason. Such rows are counted separately. */
  lacks?: Record<string, string>;
  /** Returns the reason why no tool does what a row asks for, if its fields do not say it. */
  without?(row: Row): string | undefined;
  /** Extracts from our answer what theirs consists of. */
  answer?(text: string, row: Row): string;
  /** Their expectation in our notation, where the two differ in notation only. */
  expected?(expect: Row["expect"]): Row["expect"];
  /** The form of the tool's verdict: a report, an answer instead of a refusal, or the word true. */
  verdict?: "report" | "answer" | "word";
  /** The call that reads the result back, for suites that give the value and not the text. */
  readBack?(text: string, row: Row): { tool: string; input: Record<string, unknown> };
}

export interface Call {
  mapping: Mapping;
  input: Record<string, unknown>;
}

/** The call of our tool for a row, or the reason why there is none. */
export function toCall(mapping: Entry, row: Row): Call | { none: string } {
  if ("none" in mapping) return mapping;
  const { fields = {}, values = {}, lacks = {} } = mapping;
  const missing = mapping.without?.(row);
  if (missing !== undefined) return { none: missing };
  let input: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(row.input)) {
    const reason = lacks[field] ?? lacks[`${field}=${String(value)}`];
    if (reason !== undefined) return { none: reason };
    const name = fields[field] === undefined ? field : fields[field];
    const known = values[field];
    const named = known !== undefined && Object.hasOwn(known, String(value)) ? known[String(value)] : value;
    if (name !== null) input[name] = named;
  }
  input = { ...input, ...mapping.with };
  return { mapping, input: mapping.input?.(input, row) ?? input };
}
