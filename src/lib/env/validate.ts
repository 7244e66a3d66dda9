import { createBoundedFindings, type TextFinding } from "../bounded-findings.ts";
import { lexEnv } from "./lex.ts";

/** Most findings reported. */
const maxReported = 100;

/**
 * Returns the faults of a .env file in order: invalid lines, repeated and missing names are errors; notations
 * that parsers treat differently are warnings. With `last`, a name may be repeated.
 */
export function validateEnv(
  text: string,
  required: readonly string[],
  duplicateKeys: "error" | "last" = "error",
): TextFinding[] {
  const { add, list } = createBoundedFindings<TextFinding>(maxReported);
  const first = new Map<string, number>();
  const warn = (message: string, index: number, rule: string): void =>
    add({ message, index, rule, severity: "warning" });

  lexEnv(
    text,
    ({ key, value, keyAt, valueAt, quote, hash }) => {
      const shown = key.slice(0, 64);
      if (first.has(key) && duplicateKeys === "error")
        add({
          message: `${shown} is set twice; parsers disagree about which one wins.`,
          rule: "duplicate-key",
          index: keyAt,
          severity: "error",
        });
      else first.set(key, keyAt);
      if (!/^[A-Za-z_]\w*$/.test(key))
        warn(`${shown} is not a valid name in a shell; use only letters, digits and _.`, keyAt, "name");
      if (hash?.spaced === false)
        warn("Some parsers read this # as a comment; put the value in quotes.", hash.at, "unquoted-hash");
      // `docker run --env-file` and EnvironmentFile of systemd know comments only at the start of a line.
      if (hash?.spaced === true)
        warn(
          "Some parsers read this comment as part of the value, docker run --env-file among them; put it on a line of its own.",
          hash.at,
          "inline-comment",
        );
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
  return list();
}
