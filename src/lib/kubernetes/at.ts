import { type Dictionary, isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { escapeToken } from "../json/pointer.ts";
import { isWholeNumber } from "../number/decimal.ts";

/** A value of a manifest, undefined if it is missing, with its pointer (RFC 6901) in the document. */
export interface At {
  readonly value: Value | undefined;
  readonly pointer: string;
}

export type Severity = "error" | "warning";

/** One defect of a manifest. */
export interface ManifestFinding {
  message: string;
  rule: string;
  severity: Severity;
  pointer: string;
  /** Whether the place is that of the key, and not that of its value. */
  key?: boolean;
}

export type ReportAt = (rule: string, at: At, message: string, severity?: Severity) => void;

/** Returns the member at a path of keys. */
export const child = (at: At, ...keys: string[]): At => {
  let { value, pointer } = at;
  for (const key of keys) {
    value = isDictionary(value ?? null) ? (value as Dictionary).get(key) : undefined;
    pointer += `/${escapeToken(key)}`;
  }
  return { value, pointer };
};

/** Returns the items of a list, none of another value. */
export const items = ({ value, pointer }: At): At[] =>
  isList(value ?? null)
    ? (value as Value[]).map((item, index) => ({ value: item, pointer: `${pointer}/${index}` }))
    : [];

/** Returns the members of an object, none of another value. */
export const members = ({ value, pointer }: At): [string, At][] =>
  isDictionary(value ?? null)
    ? Array.from(value as Dictionary, ([key, member]) => [
        key,
        { value: member, pointer: `${pointer}/${escapeToken(key)}` },
      ])
    : [];

/** Whether a value is there; Kubernetes treats null as a missing value. */
export const isPresent = ({ value }: At): boolean => value !== undefined && value !== null;

export const textOf = ({ value }: At): string | undefined => (typeof value === "string" ? value : undefined);

/** Returns a whole number, undefined if the value is none. */
export function wholeOf({ value }: At): number | undefined {
  if (value === undefined || !isLiteral(value) || value.kind !== "number" || value.text.length > 20)
    return undefined;
  return isWholeNumber(value.text) ? Number(value.text) : undefined;
}

/** Returns the text of a text or a number, as maps of labels and quantities have it. */
export function scalarOf({ value }: At): string | undefined {
  if (typeof value === "string") return value;
  return value !== undefined && isLiteral(value) ? value.text : undefined;
}

/** Quotes a text of a manifest, shortened to fit a message. */
export const quote = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
