import { isDeepStrictEqual } from "node:util";
import { applyPatch } from "diff";
import type { Row } from "./corpus.ts";

/** The outcome of a call. Any exception but a ToolError is a bug of ours, and no row expects one. */
export type Outcome =
  | { kind: "answer"; text: string; verdict?: boolean }
  | { kind: "refusal"; message: string; verdict?: boolean }
  | { kind: "bug"; message: string };

/** Returns the difference between an outcome and the expectation, or undefined. @throws Error for an unknown expectation. */
export function compare(expect: Row["expect"], outcome: Outcome, row: Row): string | undefined {
  if (outcome.kind === "bug") return `crashed: ${outcome.message}`;
  for (const [kind, wanted] of Object.entries(expect)) {
    const fault =
      outcome.verdict === undefined
        ? compareKind(kind, wanted, outcome, { ...row, expect })
        : compareVerdict(kind, wanted, outcome.verdict);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

type Settled = Exclude<Outcome, { kind: "bug" }>;

/** Members beside an expectation that are not expectations: remarks, and figures of the library the row comes from. */
const remarks = new Set(["was", "note", "tagged", "errors", "property", "text", "maxMs", "othersResponsive"]);

const refusals = new Set(["error", "status4xx"]);

function compareVerdict(kind: string, wanted: unknown, verdict: boolean): string | undefined {
  if (remarks.has(kind) || kind === "either") return undefined;
  // A document that must be refused is reported invalid; one with a result or a value is valid.
  const valid = kind === "valid" || kind === "bool" ? wanted === true : !refusals.has(kind);
  return verdict === valid ? undefined : `reported ${verdict ? "valid" : "invalid"}`;
}

function compareKind(kind: string, wanted: unknown, outcome: Settled, row: Row): string | undefined {
  if (remarks.has(kind) || kind === "either") return undefined;
  if (refusals.has(kind)) {
    if (outcome.kind === "answer") return `accepted: ${outcome.text}`;
    return outcome.message === "" ? "refused without a word" : undefined;
  }
  const matches = comparisons[kind];
  if (matches === undefined) throw new Error(`Unknown expectation ${kind} of ${row.case}`);
  if (outcome.kind === "refusal") return `refused: ${outcome.message}`;
  return matches(outcome.text, wanted as never, row) ? undefined : `gave ${outcome.text}`;
}

type Comparison = (text: string, wanted: never, row: Row) => boolean;

const comparisons: Record<string, Comparison> = {
  ok: () => true,
  result: (text, wanted: string, { expect: { tokensKept } }) => text === wanted || tokensKept === true,
  resultIgnoreCase: (text, wanted: string) => text.toLowerCase() === wanted.toLowerCase(),
  json: (text, wanted: unknown) => sameJson(parse(text), wanted),
  jsonAnyOf: (text, wanted: unknown[]) => wanted.some((one) => sameJson(parse(text), one)),
  // A stream is answered as one array of its documents.
  jsonSeq: (text, wanted: unknown[]) => sameJson(parse(text), wanted),
  jsonPartial: hasFields,
  fields: hasFields,
  valid: (text, wanted: boolean) => text === String(wanted),
  bool: (text, wanted: boolean) => text === String(wanted),
  match: (text, wanted: string) => toPattern(wanted).test(text),
  matches: (text, wanted: { match: string; index: number }[]) => {
    const { matches } = JSON.parse(text) as { matches: { match: string; index: number }[] };
    return isDeepStrictEqual(
      matches.map(({ match, index }) => ({ match, index })),
      wanted,
    );
  },
  firstRun: (text, wanted: string) => firstRun(text) === Date.parse(wanted),
  firstRunNot: (text, wanted: string) => firstRun(text) !== Date.parse(wanted),
  date: (text, wanted: string) => Date.parse(text) === Date.parse(wanted),
  // The formatter may choose its layout if the row is about tokens.
  tokensKept: (text, _: never, { input: { data } }) => squeeze(text) === squeeze(String(data)),
  // The two texts count, not how the difference between them was split.
  xml: (text, _: never, { input: { a, b } }) =>
    withoutTag(text, "ins") === a && withoutTag(text, "del") === b,
  unified: (text, _: never, { input: { a, b } }) => (text === "" ? a : applyPatch(String(a), text)) === b,
  // Each line is a fact about the certificate.
  openssl: (text, wanted: string) => isDeepStrictEqual(text.split("\n"), wanted.trimEnd().split("\n")),
};

function hasFields(text: string, wanted: Record<string, unknown>): boolean {
  const value = parse(text) as Record<string, unknown>;
  return Object.entries(wanted).every(([name, one]) => sameJson(value[name], one));
}

/** Integers that a double cannot hold are BigInt, for suites that write them as `$bigint`. */
const parse = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown, context: { source?: string } = {}) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context.source ?? "")
      ? BigInt(context.source!)
      : value,
  );

/** -0 equals 0, and a double in place of a large integer stands for the double. */
function sameJson(got: unknown, wanted: unknown): boolean {
  const plain = toPlain(wanted);
  if (typeof plain === "number") return Number(got) === plain && typeof got !== "string" && got !== null;
  if (typeof plain !== "object" || plain === null) return got === plain;
  if (typeof got !== "object" || got === null || Array.isArray(got) !== Array.isArray(plain)) return false;
  const names = Object.keys(plain);
  return (
    names.length === Object.keys(got).length &&
    names.every(
      (name) =>
        Object.hasOwn(got, name) &&
        sameJson((got as Record<string, unknown>)[name], (plain as Record<string, unknown>)[name]),
    )
  );
}

/** `{"$bigint": "…"}` and similar stand for values that JSON lacks: an exact integer here, text otherwise. */
function toPlain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const [first, ...others] = Object.entries(value);
  if (first === undefined || others.length > 0 || typeof first[1] !== "string") return value;
  const [tag, text] = first;
  if (tag === "$bigint") return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
  return /^\$(?:float|datetime(?:-local)?|date-local|time-local)$/.test(tag) ? text : value;
}

const firstRun = (text: string): number => Date.parse((JSON.parse(text) as { runs: string[] }).runs[0] ?? "");

/** `/…/` as written in JavaScript. */
const toPattern = (literal: string): RegExp => {
  const [, source = literal, flags = ""] = /^\/(.*)\/([a-z]*)$/su.exec(literal) ?? [];
  return new RegExp(source, flags);
};

const squeeze = (text: string): string => text.replaceAll(/\s+/g, "");

/** A text with `<del>` and `<ins>`, without the content of one of them and without the markup of the other. */
const withoutTag = (xml: string, dropped: "ins" | "del"): string =>
  xml
    .replaceAll(new RegExp(`<${dropped}>.*?</${dropped}>`, "gs"), "")
    .replaceAll(/<\/?(?:ins|del)>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
