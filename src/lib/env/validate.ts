import { lexEnv } from "./lex.ts";

export interface EnvFault {
  message: string;
  rule: string;
  index: number;
  severity: "error" | "warning";
}

/** More of them help nobody. */
const maxReported = 100;

/**
 * What is wrong with a .env file, in its order: lines that are none, names that come twice and those that are missing are
 * errors; what readers disagree about is a warning.
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
          message: `${shown} is set twice; readers disagree about which counts.`,
          rule: "duplicate-key",
          index: keyAt,
          severity: "error",
        });
      else first.set(key, keyAt);
      if (!/^[A-Za-z_]\w*$/.test(key))
        warn(`${shown} is no name that a shell can have: letters, digits and _ only.`, keyAt, "name");
      if (hashAt !== undefined)
        warn("This # begins a comment for some readers; put the value in quotes.", hashAt, "unquoted-hash");
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
