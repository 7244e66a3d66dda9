import { DocumentFault } from "../fault.ts";
import type { Dictionary, Value } from "../data/value.ts";
import { lexEnv, refuseLine } from "./lex.ts";

export interface EnvReadOptions {
  /** Reads only names with this prefix, and removes it. */
  prefix: string;
}

/**
 * Reads the variables of a .env file as a map of text, in order.
 * @throws DocumentFault for an invalid line, and for a repeated name
 */
export function readEnv(text: string, { prefix }: EnvReadOptions): Value {
  const variables: Dictionary = new Map();
  const names = new Set<string>();
  lexEnv(
    text,
    ({ key, value, keyAt }) => {
      if (names.has(key)) {
        const message = `${JSON.stringify(key.slice(0, 64))} is set twice; keep one of the two.`;
        throw new DocumentFault(message, { index: keyAt }, "duplicate-key");
      }
      names.add(key);
      if (key.startsWith(prefix) && key.length > prefix.length)
        variables.set(key.slice(prefix.length), value);
    },
    refuseLine,
  );
  return variables;
}
