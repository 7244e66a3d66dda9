import { createBoundedFindings } from "../bounded-findings.ts";
import { DocumentFault } from "../fault.ts";
import { joinWords } from "../join-words.ts";
import { type Expression, type License, likelyLicense, parseExpression } from "./expression.ts";
import type { LicensedPackage, Statement } from "./package-list.ts";
import { findObstacles, isDeprecated, type Obstacles, replacementOf, type Terms } from "./terms.ts";

/** Most errors, and most warnings. */
const maxFindings = 10_000;

export interface LicenseFinding {
  message: string;
  rule: "denied-license" | "license-not-allowed" | "unknown-license" | "deprecated-license" | "syntax";
  severity: "error" | "warning";
  pointer: string;
  /** In an expression, in UTF-16 code units. */
  index?: number;
}

export interface CheckOptions {
  terms: Terms;
  /** The severity of packages whose licence is not known. */
  unknown: "error" | "warning";
  /** Names of packages that are left out, or `name@version`. */
  ignore: ReadonlySet<string>;
  /** Whether packages for development are left out. */
  production: boolean;
}

/** The findings on a list of packages, and how many have each licence. */
export interface Checked {
  findings: LicenseFinding[];
  counts: ReadonlyMap<string, number>;
}

/** Checks a text that is one expression: its syntax, its licences against the terms, and deprecated identifiers. */
export function checkText(text: string, terms: Terms): LicenseFinding[] {
  try {
    return checkExpression(parseExpression(text), terms);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const { index = 0 } = error.at;
    return [{ rule: "syntax", severity: "error", pointer: "", index, message: error.message }];
  }
}

function checkExpression(expression: Expression, terms: Terms): LicenseFinding[] {
  const findings = createBoundedFindings<LicenseFinding>(maxFindings);
  const obstacles = findObstacles(expression, terms);
  if (obstacles !== undefined) {
    const add = (rule: LicenseFinding["rule"], which: readonly License[], end: string): void => {
      for (const license of which)
        findings.add({
          rule,
          severity: "error",
          pointer: "",
          index: license.index,
          message: `${show(license)} ${end}`,
        });
    };
    add("denied-license", obstacles.denied, "is denied.");
    add("license-not-allowed", obstacles.missing, "is not among the allowed licences.");
  }
  for (const part of expression) {
    if (typeof part === "string" || !isDeprecated(part)) continue;
    const replacement = replacementOf(part);
    findings.add({
      rule: "deprecated-license",
      severity: "warning",
      pointer: "",
      index: part.index,
      message: `${part.id} is a deprecated identifier${replacement === undefined ? "." : `; write ${replacement}.`}`,
    });
  }
  return findings.list();
}

/** Checks the licence of each package. */
export function checkPackages(packages: readonly LicensedPackage[], options: CheckOptions): Checked {
  const { terms, unknown, ignore, production } = options;
  const findings = createBoundedFindings<LicenseFinding>(maxFindings);
  const counts = new Map<string, number>();
  const count = (text: string): void => void counts.set(text, (counts.get(text) ?? 0) + 1);
  const outcomeOf = createOutcomes(terms);
  for (const one of packages) {
    const title = one.version === undefined ? one.name : `${one.name}@${one.version}`;
    if (ignore.has(one.name) || ignore.has(title) || (production && one.development)) continue;
    const add = (rule: LicenseFinding["rule"], pointer: string, end: string): void =>
      findings.add({
        rule,
        severity: rule === "unknown-license" ? unknown : "error",
        pointer,
        message: `${shorten(title)} ${end}`,
      });
    if (one.statements.length === 0) {
      count("unknown");
      add("unknown-license", one.pointer, "states no licence.");
    }
    for (const statement of one.statements) {
      count(statement.text.length > 200 ? `${statement.text.slice(0, 200)}…` : statement.text);
      report(statement, outcomeOf(statement.text), add);
    }
  }
  return { findings: findings.list(), counts };
}

type Add = (rule: LicenseFinding["rule"], pointer: string, end: string) => void;
type Outcome = { unknown: string } | { obstacles: Obstacles | undefined; hasReference: string | undefined };

/** Returns a function that parses and weighs each text once: most packages of a list have one of a few licences. */
function createOutcomes(terms: Terms): (text: string) => Outcome {
  const outcomes = new Map<string, Outcome>();
  return (text) => {
    let outcome = outcomes.get(text);
    if (outcome === undefined) outcomes.set(text, (outcome = weigh(text, terms)));
    return outcome;
  };
}

function weigh(text: string, terms: Terms): Outcome {
  const plain = text.trim();
  if (plain === "UNLICENSED")
    return { unknown: "is UNLICENSED, which npm has for packages that nobody may use." };
  if (plain === "NONE") return { unknown: "has no licence (NONE)." };
  if (/^SEE LICEN[CS]E IN /i.test(plain)) return { unknown: `has its licence in a file: ${shorten(plain)}.` };
  let expression: Expression;
  try {
    expression = parseExpression(text);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const near = likelyLicense(plain);
    const reason = near === undefined ? ` (${error.message.replace(/\.$/, "")})` : `; probably ${near}`;
    return { unknown: `has a licence that is no SPDX expression: ${shorten(plain)}${reason}.` };
  }
  const isNamed = ({ id }: License): boolean =>
    [...terms.allow, ...terms.deny].some((term) =>
      "prefix" in term ? id.toLowerCase().startsWith(term.prefix) : term.family === id,
    );
  const reference = expression.find(
    (part): part is License => typeof part === "object" && part.custom && !isNamed(part),
  );
  return { obstacles: findObstacles(expression, terms), hasReference: reference?.id };
}

function report({ pointer }: Statement, outcome: Outcome, add: Add): void {
  if ("unknown" in outcome) return add("unknown-license", pointer, outcome.unknown);
  const { obstacles, hasReference } = outcome;
  if (obstacles === undefined) {
    if (hasReference !== undefined)
      add(
        "unknown-license",
        pointer,
        `has a licence that is not on the SPDX list: ${shorten(hasReference)}.`,
      );
    return;
  }
  const { denied, missing } = obstacles;
  if (denied.length > 0) add("denied-license", pointer, `has the denied licence ${list(denied)}.`);
  else add("license-not-allowed", pointer, `has ${list(missing)}, which is not among the allowed licences.`);
}

/** Most licences that a message names. */
const maxNamed = 5;

function list(licenses: readonly License[]): string {
  const names = [...new Set(licenses.map(show))];
  const rest = names.length - maxNamed;
  return joinWords([...names.slice(0, maxNamed), ...(rest > 0 ? [`${rest} more`] : [])], "and");
}

const show = ({ id, plus, exception }: License): string =>
  shorten(`${id}${plus ? "+" : ""}${exception === undefined ? "" : ` WITH ${exception}`}`);

const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);
