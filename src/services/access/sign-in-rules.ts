import { ToolError } from "../../catalog/errors.ts";
import type { Config } from "../../options.ts";
import { isAccountName } from "../../storage/records.ts";
import type { Choice } from "./oidc/pending.ts";

/** The rules of `oidc` or `proxyAuth` that give people their rights. */
export type Rules = Pick<Config["oidc" | "proxyAuth"], "accountClaim" | "accountMap" | "operatorRule">;

export type Claims = Readonly<Record<string, unknown>>;

/** The rights that the rules give a person; whether the accounts exist is not known here. */
export interface Rights {
  operator: boolean;
  /** Names of accounts, each once. */
  accounts: string[];
}

/** Most values of one claim that are looked at. */
const maxValues = 1000;

export function toRights(claims: Claims, { accountClaim, accountMap, operatorRule }: Rules): Rights {
  const values = accountClaim === "" ? [] : valuesOf(claims, accountClaim);
  const accounts = accountMap.length === 0 ? values.filter(isAccountName) : values.flatMap(map(accountMap));
  return {
    operator: operatorRule
      .map(parseOperatorRule)
      .some(({ claim, value }) => valuesOf(claims, claim).includes(value)),
    accounts: [...new Set(accounts)].toSorted(),
  };
}

/** Leaves out accounts that do not exist or are disabled. */
export async function withExisting(
  { operator, accounts }: Rights,
  show: (account: string) => Promise<{ disabled: boolean }>,
): Promise<Rights> {
  const found = await Promise.all(
    accounts.map(async (name) => {
      try {
        const { disabled } = await show(name);
        return disabled ? [] : [name];
      } catch (error) {
        if (error instanceof ToolError && error.code === "not_found") return [];
        throw error;
      }
    }),
  );
  return { operator, accounts: found.flat() };
}

export const isAmong = (choice: Choice, { operator, accounts }: Rights): boolean =>
  "operator" in choice ? operator : accounts.includes(choice.account);

/** Returns the names of the claims that the rules read. */
export function claimsOf({ accountClaim, operatorRule }: Rules): string[] {
  const named = [accountClaim, ...operatorRule.map((rule) => parseOperatorRule(rule).claim)];
  if (named.includes("email")) named.push("email_verified");
  return [...new Set(named)].filter((name) => name !== "");
}

/** Whether a claim is there, also if it is empty. */
export const hasClaim = (claims: Claims, name: string): boolean => find(claims, name) !== undefined;

/** A value may contain equals signs, as distinguished names do; the name of an account has none. */
const map =
  (rules: readonly string[]) =>
  (value: string): string[] =>
    rules.flatMap((rule) => {
      const at = rule.lastIndexOf("=");
      return rule.slice(0, at) === value ? [rule.slice(at + 1)] : [];
    });

function parseOperatorRule(rule: string): { claim: string; value: string } {
  const at = rule.indexOf("=");
  return { claim: rule.slice(0, at), value: rule.slice(at + 1) };
}

/** Returns the values of a claim: texts, and truth values as text. */
function valuesOf(claims: Claims, name: string): string[] {
  // Anybody could enter the address of another person where the provider does not verify addresses.
  if (name === "email" && claims["email_verified"] !== true) return [];
  const found = find(claims, name);
  return (Array.isArray(found) ? (found as unknown[]) : [found])
    .slice(0, maxValues)
    .flatMap((value) => (typeof value === "string" || typeof value === "boolean" ? [String(value)] : []));
}

/** Finds a claim of exactly that name; otherwise the dots of the name lead into objects, as in `realm_access.roles`. */
function find(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split(".")
    .reduce<unknown>(
      (value, part) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, part)
          ? (value as Claims)[part]
          : undefined,
      claims,
    );
}
