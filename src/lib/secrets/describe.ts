import { counted } from "../counted.ts";
import { placesOf } from "../places.ts";
import { findSecrets } from "./find.ts";
import type { Secret, SecretRule } from "./rule.ts";

/** A value that occurs in a text, without the value itself. */
export interface SecretFinding {
  rule: string;
  message: string;
  severity: "error" | "warning";
  /** The position of its first occurrence, in UTF-16 code units. */
  index: number;
}

/** Describes at most `limit` different secrets of a text; a value is reported at its first place, with the number of further ones. */
export function describeSecrets(text: string, rules: readonly SecretRule[], limit: number): SecretFinding[] {
  const places = new Map<string, Secret[]>();
  for (const secret of findSecrets(text, rules, Infinity)) {
    // The header of a private key is the same for all; its first lines are not.
    const value = text.slice(secret.index, secret.rule.id === "private-key" ? secret.end + 120 : secret.end);
    const known = places.get(value);
    if (known !== undefined) known.push(secret);
    else if (places.size < limit) places.set(value, [secret]);
  }
  const found = [...places.values()];
  const seconds = found.flatMap(([, second]) => (second === undefined ? [] : [{ index: second.index }]));
  const lines = placesOf(text, seconds).values();
  return found.map(([first, ...further]) => {
    const secret = first as Secret;
    const line = further.length === 0 ? undefined : lines.next().value?.line;
    return {
      rule: secret.rule.id,
      message: toMessage(text, secret, further.length, line),
      severity: secret.warning === true ? "warning" : "error",
      index: secret.index,
    };
  });
}

function toMessage(text: string, secret: Secret, further: number, line: number | undefined): string {
  const name = secret.name ?? nameBefore(text, secret.index);
  const what = `This is ${secret.rule.title}${name === undefined ? "" : `, the value of ${name}`}: ${hide(text, secret)}.`;
  const advice =
    secret.warning === true
      ? "It is a common one, or for a local or an example host; keep real ones out of the text."
      : "Revoke it, and keep its replacement out of the text.";
  if (line === undefined) return `${what} ${advice}`;
  const count = counted(further, "further place");
  return `${what} ${advice} The value is in ${count}, first in line ${line}.`;
}

/** Shortens a secret. The first characters of a token with a mark name its vendor; those of a password must not be revealed. */
function hide(text: string, { rule, index, end }: Secret): string {
  const value = text.slice(index, end);
  if (rule.id === "private-key") return value;
  const marked =
    "prefixes" in rule &&
    !("before" in rule) &&
    (rule.prefixes as string[]).some((one) => value.startsWith(one));
  return `${marked ? value.slice(0, 4) : ""}… (${value.length} characters)`;
}

/** The name or key before a value on its line. */
function nameBefore(text: string, index: number): string | undefined {
  const found =
    /(?<![\w$.-])([A-Za-z_$][\w$.-]{0,80})\\{0,3}["'`]?\]?[ \t]{0,8}(?::=|=>|=|:)[ \t]{0,8}(?:\\{0,3}["'`])?$/.exec(
      text.slice(Math.max(0, index - 120), index),
    );
  return found?.[1];
}
