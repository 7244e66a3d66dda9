import type { Row } from "./corpus.ts";

/** What the adapter says of a slug of the suites: the tool of ours that does it, or why none does. */
export type Entry = Mapping | { none: string };

/** Their fields keep their names and values unless it says otherwise. */
export interface Mapping {
  tool: string;
  /** Their field → ours; null where it asks for what the tool does anyway. */
  fields?: Record<string, string | null>;
  /** By their field: their value → ours. */
  values?: Record<string, Record<string, unknown>>;
  /** Fields of ours that they do not have. */
  with?: Record<string, unknown>;
  /** The last word over the input, where one field of ours depends on several of theirs. */
  input?(input: Record<string, unknown>, row: Row): Record<string, unknown>;
  /** A field, or `field=value`, that no tool of ours has → why. Such rows are counted apart. */
  lacks?: Record<string, string>;
  /** Takes from our answer what theirs consists of. */
  answer?(text: string, row: Row): string;
  /** Their expectation in our notation, where the two write the same thing differently. */
  expected?(expect: Row["expect"]): Row["expect"];
  /** How the tool says yes or no: a report, an answer rather than a refusal, or the word true. */
  verdict?: "report" | "answer" | "word";
  /** The call that reads the result back, for suites that give the value and not the text. */
  readBack?(text: string, row: Row): { tool: string; input: Record<string, unknown> };
}

export interface Call {
  mapping: Mapping;
  input: Record<string, unknown>;
}

/** The call of our tool that a row asks for, or why there is none. */
export function toCall(mapping: Entry, row: Row): Call | { none: string } {
  if ("none" in mapping) return mapping;
  const { fields = {}, values = {}, lacks = {} } = mapping;
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
