import type { Literal } from "../data/value.ts";
import { resolvePlain } from "./plain.ts";

export interface TextStyle {
  /** The YAML version for whose parsers scalars keep their type; `yaml1.1` suits both. */
  compat: "yaml1.1" | "yaml1.2";
  /** Longer text is folded at its spaces; 0 never folds. */
  lineWidth: number;
}

/** Writes a string without quotes if every parser reads it as one, otherwise in double quotes. */
export function stringText(text: string, style: TextStyle): string {
  return isPlain(text, style) ? text : quoted(text);
}

export function literalText({ kind, text }: Literal, { compat }: TextStyle): string {
  switch (kind) {
    case "number":
      // YAML 1.1 requires a point and a sign in a number with an exponent: otherwise PyYAML and Psych read a
      // string.
      return compat === "yaml1.1" && /[eE]/.test(text) && !/\.\d+[eE][-+]/.test(text)
        ? `!!float ${text}`
        : text;
    case "nonfinite":
      return text.replace(/^(-?)/, "$1.");
    case "local-time":
      // In YAML 1.1, 07:30:00 is a number in base 60.
      return compat === "yaml1.1" ? quoted(text) : text;
    default:
      return text;
  }
}

/** Letters without syntactic meaning, and the characters allowed between them. */
const isSimple = (text: string): boolean => /^[A-Za-z_/]/.test(text) && !/[^\w./@ -]/.test(text);
/** Matches `e1` and `_1`, which some parsers take for numbers, if nothing but digits and _ follows. */
const numberStart = /^[eE_][-+]?(?=[\d_])/;
const reserved = new Set(["y", "n", "yes", "no", "on", "off", "true", "false", "null"]);

const isReserved = (text: string, compat: TextStyle["compat"]): boolean =>
  compat === "yaml1.1" ? reserved.has(text.toLowerCase()) : resolvePlain(text, "core") !== undefined;

function isPlain(text: string, { compat }: TextStyle): boolean {
  if (text === "" || text.endsWith(" ")) return false;
  if (numberStart.test(text) && !/[^\d_]/.test(text.replace(numberStart, ""))) return false;
  if (isSimple(text)) return text.length > 5 || !isReserved(text, compat);
  const first = text.charCodeAt(0);
  if (first >= 0x30 && first <= 0x39) return isUnlikeNumber(text, compat);
  // Any other first character could start an indicator, a number, a directive or a merge.
  if (!/^[\p{L}_/(]/u.test(text)) return false;
  return !hasSyntax(text) && !isReserved(text, compat);
}

/**
 * Parsers differ in what they take for numbers and dates (1_000, 0o14, 1:30, 1e3, 1,000, 2024-1-1): text made
 * only of their characters is quoted.
 */
function isUnlikeNumber(text: string, compat: TextStyle["compat"]): boolean {
  if (hasSyntax(text)) return false;
  if (compat === "yaml1.2") return resolvePlain(text, "core") === undefined;
  return !/^[\d_.,:+a-fA-FxXoOtTzZ -]*$/.test(text);
}

/** Reports whether a text would end as a plain scalar in a block: it has `: `, ` #`, a final colon or invisible characters. */
const hasSyntax = (text: string): boolean =>
  /: | #|:$|[^\P{C}]|[\u0085\u2028\u2029\ufeff]|[^\S ]/u.test(text) || !text.isWellFormed();

/**
 * JSON escapes are YAML escapes; this adds escapes for characters that JSON leaves alone and YAML or a parser
 * does not.
 */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
