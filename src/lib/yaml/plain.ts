import { isDay } from "../time/day.ts";
import { isOffset, isTime } from "../toml/dates.ts";
import { type Literal, type LiteralKind, toNumber } from "../data/value.ts";

/**
 * `core` is the schema of YAML 1.2 (§10.3), `yaml-1.1` has the types of YAML 1.1, `go` those that Kubernetes reads with
 * go-yaml 2, which are those of 1.1 without numbers of base 60 and times, and in `failsafe` (§10.1) everything is a string.
 */
export type YamlSchema = "core" | "yaml-1.1" | "go" | "failsafe";

/** The value of a plain scalar; undefined is a string. */
export type PlainValue = null | boolean | Literal | undefined;

export function resolvePlain(text: string, schema: YamlSchema): PlainValue {
  if (schema === "failsafe") return undefined;
  const first = text.charCodeAt(0);
  // Most are words, and most words have no special meaning.
  if ((first >= 0x30 && first <= 0x39) || first === 0x2e || first === 0x2d || first === 0x2b) {
    return schema === "core" ? coreNumber(text) : oldNumber(text, schema === "go");
  }
  if (text.length > 5) return undefined;
  return (schema === "core" ? coreWords : oldWords).get(text);
}

const cases = (word: string): string[] => [word, word[0]?.toUpperCase() + word.slice(1), word.toUpperCase()];
const nulls: [string, null][] = ["", "~", ...cases("null")].map((word) => [word, null]);
const words = (yes: string[], no: string[]): Map<string, PlainValue> =>
  new Map<string, PlainValue>([
    ...nulls,
    ...yes.flatMap(cases).map((word): [string, boolean] => [word, true]),
    ...no.flatMap(cases).map((word): [string, boolean] => [word, false]),
  ]);
const coreWords = words(["true"], ["false"]);
const oldWords = words(["true", "yes", "on", "y"], ["false", "no", "off", "n"]);

function coreNumber(text: string): PlainValue {
  const decimal = toDecimal(text);
  if (decimal !== undefined) return decimal;
  if (/^0(?:o[0-7]+|x[\da-fA-F]+)$/.test(text)) return toInteger(text);
  return nonfinite(text) ?? exactDate(text);
}

/** YAML 1.1, the types int, float and timestamp (https://yaml.org/type/); `simple` leaves out base 60 and timestamps. */
function oldNumber(text: string, simple: boolean): PlainValue {
  const digits = text.split("_").join("");
  if (/^[-+]?0b[01]+$/.test(digits) || /^[-+]?0x[\da-fA-F]+$/.test(digits)) return toInteger(digits);
  if (/^[-+]?0[0-7]+$/.test(digits)) return toInteger(digits.replace(/^([-+]?)0/, "$10o"));
  if (!simple && /^[-+]?\d+(?::[0-5]?\d)+(?:\.\d*)?$/.test(digits)) return toSexagesimal(digits);
  // An underscore cannot come first.
  if (/^[-+]?_/.test(text)) return undefined;
  return toDecimal(digits) ?? nonfinite(text) ?? (simple ? undefined : timestamp(text));
}

/**
 * Converts to the grammar of JSON: without `+` and leading zeros, with a digit on both sides of the point.
 */
function toDecimal(text: string): Literal | undefined {
  // Each digit matches in only one way: a number of megabytes must not backtrack (ReDoS).
  const parts = /^([-+]?)(?:(\d+)(?:(\.)(\d*))?|(\.)(\d+))([eE][-+]?\d+)?$/.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole = "", after, digits, before, bare, exponent = ""] = parts;
  const point = after ?? before ?? "";
  const fraction = digits ?? bare ?? "";
  const int = whole.replace(/^0+(?=\d)/, "") || "0";
  return toNumber(`${sign === "-" ? "-" : ""}${int}${point && `.${fraction || "0"}`}${exponent}`);
}

/** Most digits of a number; no reader accepts more. Longer ones stay strings. */
const maxDigits = 4096;

function toInteger(text: string): Literal | undefined {
  if (text.length > maxDigits) return undefined;
  const negative = text.startsWith("-");
  const value = BigInt(text.replace(/^[-+]/, ""));
  return toNumber(`${negative ? "-" : ""}${value}`);
}

/** Base 60, such as 1:30:00. */
function toSexagesimal(text: string): Literal | undefined {
  if (text.length > maxDigits) return undefined;
  const [whole = "", fraction] = text.replace(/^[-+]/, "").split(".");
  const value = whole.split(":").reduce((sum, part) => sum * 60n + BigInt(part), 0n);
  return toNumber(
    `${text.startsWith("-") ? "-" : ""}${value}${fraction === undefined ? "" : `.${fraction || "0"}`}`,
  );
}

function nonfinite(text: string): Literal | undefined {
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return { kind: "nonfinite", text: "nan" };
  if (!/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return undefined;
  return { kind: "nonfinite", text: text.startsWith("-") ? "-inf" : "inf" };
}

/** A date in the notation of RFC 3339 and TOML: a string in YAML 1.2, but other formats can keep its kind. */
function exactDate(text: string): Literal | undefined {
  if (text.length < 8 || text.length > 64) return undefined;
  const parts =
    /^(?:(\d{4})-(\d\d)-(\d\d))?(?:(^|[Tt ])(\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|[-+]\d\d:\d\d)?)?$/.exec(
      text,
    );
  if (parts === null) return undefined;
  const [, year, month, day, separator, hour, minute, second, offset] = parts;
  if (year === undefined)
    return isClock(parts) && offset === undefined ? { kind: "local-time", text } : undefined;
  if (separator === "" || !isDay(Number(year), Number(month), Number(day))) return undefined;
  if (hour === undefined) return { kind: "local-date", text };
  if (!isTime(Number(hour), Number(minute), Number(second)) || !isOffset(offset)) return undefined;
  return { kind: offset === undefined ? "local-datetime" : "datetime", text };
}

const isClock = ([, , , , , hour, minute, second]: string[]): boolean =>
  hour !== undefined && isTime(Number(hour), Number(minute), Number(second));

/** https://yaml.org/type/timestamp.html, written as RFC 3339. */
function timestamp(text: string): Literal | undefined {
  if (text.length < 8 || text.length > 64) return undefined;
  const parts =
    /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(\.\d*)?(?:[ \t]*(Z|[-+]\d\d?(?::\d\d)?))?)?$/.exec(
      text,
    );
  if (parts === null) return undefined;
  const [, year, month = "", day = "", hour, minute, second, fraction = "", zone] = parts;
  // Without a time, month and day need two digits.
  if (hour === undefined && text.length !== 10) return undefined;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (hour === undefined) return { kind: "local-date", text: date };
  const offset = zone === undefined || zone === "Z" ? zone : toOffset(zone);
  if (!isTime(Number(hour), Number(minute), Number(second)) || !isOffset(offset)) return undefined;
  const kind: LiteralKind = offset === undefined ? "local-datetime" : "datetime";
  const time = `${hour.padStart(2, "0")}:${minute}:${second}${fraction.length > 1 ? fraction : ""}`;
  return { kind, text: `${date}T${time}${offset ?? ""}` };
}

/** `-5` means `-05:00`. */
function toOffset(zone: string): string {
  const [hours = "", minutes = "00"] = zone.slice(1).split(":");
  return `${zone[0]}${hours.padStart(2, "0")}:${minutes}`;
}
