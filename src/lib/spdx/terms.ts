import { OptionFault } from "../fault.ts";
import type { Expression, License } from "./expression.ts";
import { findException, findLicense, isReference, proposal } from "./expression.ts";
import { deprecatedIds, licenseIds } from "./identifiers.ts";

/** The licences that a project accepts, and those that it refuses. */
export interface Terms {
  /** Empty: each licence that is not denied. */
  allow: readonly Term[];
  deny: readonly Term[];
  /** Earlier decisions about licences: most documents have a few, and some as many different ones as they can hold. */
  decided: Map<string, Decision>;
}

type Decision = "fine" | "denied" | "missing";

/** A licence, or all whose identifiers begin with `prefix`. */
type Term = { prefix: string } | Version;

interface Version {
  /** The identifier without its version; of a licence without versions the identifier. */
  family: string;
  version: readonly number[];
  orLater: boolean;
  exception: string | undefined;
}

/** The licences that keep an expression from being acceptable. */
export interface Obstacles {
  denied: readonly License[];
  /** Licences that `allow` lacks. */
  missing: readonly License[];
}

/** Identifiers from the time before SPDX knew exceptions. */
const withExceptions: Readonly<Record<string, readonly [id: string, exception: string]>> = {
  "GPL-2.0-with-autoconf-exception": ["GPL-2.0", "Autoconf-exception-2.0"],
  "GPL-2.0-with-bison-exception": ["GPL-2.0", "Bison-exception-2.2"],
  "GPL-2.0-with-classpath-exception": ["GPL-2.0", "Classpath-exception-2.0"],
  "GPL-2.0-with-font-exception": ["GPL-2.0", "Font-exception-2.0"],
  "GPL-2.0-with-GCC-exception": ["GPL-2.0", "GCC-exception-2.0"],
  "GPL-3.0-with-autoconf-exception": ["GPL-3.0", "Autoconf-exception-3.0"],
  "GPL-3.0-with-GCC-exception": ["GPL-3.0", "GCC-exception-3.1"],
};

/** Returns what to write for a deprecated identifier, undefined if it is a current one or has no successor. */
export function replacementOf({ id, plus }: License): string | undefined {
  const [base, exception] = withExceptions[id] ?? [];
  if (base !== undefined) return `${base}-only WITH ${exception}`;
  if (!deprecatedIds.includes(id)) return undefined;
  const current = `${id}${plus ? "-or-later" : "-only"}`;
  return findLicense(current);
}

export const isDeprecated = ({ id }: License): boolean => deprecatedIds.includes(id);

function versionOf(id: string, plus: boolean, exception: string | undefined): Version {
  const [base, own] = withExceptions[id] ?? [];
  if (base !== undefined) return versionOf(base, plus, own);
  const [, family = id, version = "", end] = /^(.*?)-(\d+(?:\.\d+){0,3})(-only|-or-later)?$/.exec(id) ?? [];
  return {
    family,
    version: version === "" ? [] : version.split(".").map(Number),
    orLater: plus || end === "-or-later",
    exception,
  };
}

function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Reads what a project accepts or refuses: identifiers, also with + or WITH, references, and `GPL-*` for all that begin so.
 * @throws OptionFault
 */
export const readTerms = (lists: { allow: readonly string[]; deny: readonly string[] }): Terms => ({
  allow: lists.allow.map((text) => readTerm(text, "allow")),
  deny: lists.deny.map((text) => readTerm(text, "deny")),
  decided: new Map(),
});

function readTerm(text: string, option: "allow" | "deny"): Term {
  const refuse = (message: string): OptionFault => new OptionFault(message, { option });
  const [name = "", operator, exception, ...rest] = text.trim().split(/\s+/);
  if (rest.length > 0 || (operator !== undefined && operator.toUpperCase() !== "WITH"))
    throw refuse(`${JSON.stringify(text)} must be one licence; give each of several by itself.`);
  if (name.endsWith("*") && operator === undefined) {
    const prefix = name.slice(0, -1).toLowerCase();
    if (prefix.includes("licenseref-")) return { prefix };
    if ([...licenseIds, ...deprecatedIds].some((id) => id.toLowerCase().startsWith(prefix)))
      return { prefix };
    throw refuse(`${JSON.stringify(text)} begins no identifier of the SPDX licence list.`);
  }
  const plus = name.endsWith("+");
  const id = findLicense(name) ?? (plus ? findLicense(name.slice(0, -1)) : undefined);
  if (id === undefined && !isReference(name)) {
    throw refuse(`${JSON.stringify(name)} is not on the SPDX licence list${proposal(name)}`);
  }
  const known = exception === undefined ? undefined : findException(exception);
  if (operator !== undefined && known === undefined)
    throw refuse(`${JSON.stringify(text)} must name an exception on the SPDX list after WITH.`);
  return versionOf(id ?? name, plus, known);
}

/** How exactly a term names a licence: 0 not at all, 1 by its beginning, 2 without, 3 with its exception. */
function closeness(term: Term, id: string, license: Version, accepts: boolean): number {
  if ("prefix" in term) return id.startsWith(term.prefix) ? 1 : 0;
  const { family, version, orLater, exception } = license;
  if (term.exception !== undefined && term.exception !== exception) return 0;
  if (term.family !== family) return 0;
  const order = compareVersions(term.version, version);
  // Whoever accepts a licence "or later" chooses the version; whoever refuses one refuses what can only be it or later.
  const fits = order === 0 || (order < 0 && term.orLater) || (order > 0 && accepts && orLater);
  return fits ? (term.exception === undefined ? 2 : 3) : 0;
}

/**
 * Returns what keeps a project from accepting an expression; undefined if it is acceptable: of OR one side must be, of AND both. The
 * term that names a licence more exactly decides; of two equal ones that of `deny`.
 */
export function findObstacles(expression: Expression, terms: Terms): Obstacles | undefined {
  const denied: License[] = [];
  const missing: License[] = [];
  const stack: boolean[] = [];
  for (const part of expression) {
    if (typeof part === "string") {
      const [right = false, left = false] = [stack.pop(), stack.pop()];
      stack.push(part === "AND" ? left && right : left || right);
      continue;
    }
    const decision = decide(part, terms);
    if (decision === "denied") denied.push(part);
    if (decision === "missing") missing.push(part);
    stack.push(decision === "fine");
  }
  return stack[0] === true ? undefined : { denied, missing };
}

function decide({ id, plus, exception }: License, { allow, deny, decided }: Terms): Decision {
  const key = `${id}${plus ? "+" : ""} ${exception ?? ""}`;
  const before = decided.get(key);
  if (before !== undefined) return before;
  const [lower, version] = [id.toLowerCase(), versionOf(id, plus, exception)];
  const closest = (list: readonly Term[], accepts: boolean): number =>
    list.reduce((most, term) => Math.max(most, closeness(term, lower, version, accepts)), 0);
  const [allowed, refused] = [closest(allow, true), closest(deny, false)];
  const isMissing = allow.length > 0 && allowed === 0;
  const decision = refused > 0 && refused >= allowed ? "denied" : isMissing ? "missing" : "fine";
  decided.set(key, decision);
  return decision;
}
