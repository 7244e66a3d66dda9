import { DocumentFault } from "../fault.ts";
import { checkLength } from "../data/result-length.ts";
import { type DuplicateKeys, setMember } from "../data/set-member.ts";
import type { Dictionary } from "../data/value.ts";
import { expandEnv } from "./expand.ts";
import { lexEnv, refuseLine } from "./lex.ts";

export interface EnvReadOptions {
  /** Reads only names with this prefix, and removes it. */
  prefix: string;
  /** The treatment of a repeated name; `error` by default. */
  duplicateKeys?: DuplicateKeys;
  /** Replaces references to names above, outside of single quotes and backticks. `none` by default. */
  expand?: "none" | "strict" | "compose";
  /** Most characters of all values after replacement. */
  maxLength?: number;
}

/**
 * Reads the variables of a .env file as a map of text, in order.
 * @throws DocumentFault for an invalid line, a repeated name, and a reference that cannot be replaced
 */
export function readEnv(text: string, options: EnvReadOptions): Dictionary {
  const { prefix, duplicateKeys = "error", expand = "none", maxLength } = options;
  const variables: Dictionary = new Map();
  const values = new Map<string, string>();
  let length = 0;
  const expansion = {
    lookUp: (name: string) => values.get(name),
    missing: expand === "strict" ? ("error" as const) : ("empty" as const),
    count: (more: number) => checkLength((length += more), maxLength),
  };
  lexEnv(
    text,
    ({ key, value: written, keyAt, valueAt, quote }) => {
      if (values.has(key) && duplicateKeys === "error") throw repeated(key, keyAt);
      const isLiteral = expand === "none" || quote === "'" || quote === "`";
      const value = isLiteral ? written : placed(valueAt, () => expandEnv(written, expansion));
      values.set(key, value);
      if (key.startsWith(prefix) && key.length > prefix.length)
        setMember(variables, key.slice(prefix.length), value, duplicateKeys, () => repeated(key, keyAt));
    },
    refuseLine,
  );
  return variables;
}

function repeated(key: string, index: number): DocumentFault {
  const message = `${JSON.stringify(key.slice(0, 64))} is set twice; keep one of the two, or set duplicateKeys to last.`;
  return new DocumentFault(message, { index }, "duplicate-key");
}

/** Adds its place to a fault. */
function placed<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DocumentFault) || error.rule === "result-too-large") throw error;
    throw new DocumentFault(error.message, { index }, error.rule);
  }
}
