import { lexEnv } from "./lex.ts";

export interface EnvFault {
  message: string;
  rule: string;
  index: number;
  severity: "error" | "warning";
}

/** Most findings reported. */
const maxReported = 100;

/**
 * Returns the faults of a .env file in order: invalid lines, repeated and missing names are errors; notations
 * that parsers treat differently are warnings.
 */
export function validateEnv(text: string, required: readonly string[]): EnvFault[] {
  const faults: EnvFault[] = [];
  const first = new Map<string, number>();
  const add = (fault: EnvFault): void => {
    if (faults.length < maxReported) faults.push(fault);
  };
  const warn = (message: string, index: number, rule: string): void =>
    add({ message, index, rule, severity: "warning" });

  lexEnv(
    text,
    ({ key, value, keyAt, valueAt, quote, hashAt }) => {
      const shown = key.slice(0, 64);
      if (first.has(key))
        add({
          message: `${shown} is set twice; parsers disagree about which one wins.`,
          rule: "duplicate-key",
          index: keyAt,
          severity: "error",
        });
      else first.set(key, keyAt);
      if (!/^[A-Za-z_]\w*$/.test(key))
        warn(`${shown} is not a valid name in a shell; use only letters, digits and _.`, keyAt, "name");
      if (hashAt !== undefined)
        warn("Some parsers read this # as a comment; put the value in quotes.", hashAt, "unquoted-hash");
      if (quote === "" && /[ \t]/.test(value))
        warn("A shell would end the value at its first space; put it in quotes.", valueAt, "unquoted-space");
    },
    (fault) => add({ ...fault, severity: "error" }),
  );
  for (const name of required) {
    if (!first.has(name))
      add({
        message: `${name} is required and not set.`,
        rule: "missing-key",
        index: text.length,
        severity: "error",
      });
  }
  return faults;
}
