import type { Assignment } from "./assignments.ts";
import { isBasic } from "./headers.ts";
import type { Secret, SecretRule } from "./rule.ts";
import { isPasswordLike, isPlaceholder, isRandom, isUnlikeWords } from "./values.ts";
import { type NamedRule, namedRules } from "./vendors/named.ts";

const password: SecretRule = { id: "assigned-password", title: "a password" };
const random: SecretRule = { id: "high-entropy", title: "a likely secret" };
const registryLogin: SecretRule = { id: "registry-login", title: "the login of a container registry" };

/** Rules based on the name before a value. */
export const assignedRules: readonly SecretRule[] = [...namedRules, registryLogin, password, random];

/** Returns the secret in a value assigned to the name of one, or undefined. */
export function toAssignedSecret(text: string, assignment: Assignment): Secret | undefined {
  const { index, end, name } = toPlace(text, assignment);
  const value = text.slice(index, end);
  if (/^[+,)]/.test(value) && closesString(text, index)) return undefined;
  const rule = classify(value, assignment);
  return rule && { rule, index, end, name };
}

/** Reports whether the quote before a value ends a string: `"no token: " + name + "x"`. */
function closesString(text: string, index: number): boolean {
  const quote = text.charAt(index - 1);
  const line = text.slice(Math.max(text.lastIndexOf("\n", index) + 1, index - 300), index - 1);
  return line.split(quote).length % 2 === 0;
}

/** Bits of the model of `toBits` that a random value holds at least: a few more where the name says less. */
const least = { password: 24, token: 28, related: 60 };

function classify(value: string, { kind, name, quoted, config }: Assignment): SecretRule | undefined {
  if (!(quoted || config) || isPlaceholder(value)) return undefined;
  if (/^auths?$/i.test(name)) return quoted && value.length > 8 && isBasic(value) ? registryLogin : undefined;
  const vendor = kind === "related" ? undefined : findVendor(name, value);
  if (vendor !== undefined) return vendor;
  if (isRandom(value, least[kind]) && (kind === "password" || hasDigits(value, kind))) return random;
  return kind === "password" && (isPasswordLike(value) || (quoted && isUnlikeWords(value)))
    ? password
    : undefined;
}

/** Names of keys have names as values, whose letters need not look like any language. */
const hasDigits = (value: string, kind: Assignment["kind"]): boolean =>
  kind === "related"
    ? value.length <= 256 && /\d\D*\d/.test(value) && !/^[\w-]*\.[\w.-]*$/.test(value)
    : /\d|[^\w./:-]|^.{16}/s.test(value) || isRandom(value, 36);

function findVendor(name: string, value: string): NamedRule | undefined {
  const plain = name.toLowerCase().replaceAll(/[^a-z\d]/g, "");
  return namedRules.find(
    ({ names, value: form }) => names.some((one) => plain.includes(one)) && form.test(value),
  );
}

/** Returns the range of a value, without a prefix such as `Bearer ` within its quotes. */
function toPlace(text: string, { index, end, name }: Assignment): Pick<Secret, "index" | "end" | "name"> {
  const scheme = /^(?:bearer|basic|token)[ \t]{1,4}/i.exec(text.slice(index, Math.min(end, index + 12)));
  return { index: index + (scheme?.[0].length ?? 0), end, name };
}
