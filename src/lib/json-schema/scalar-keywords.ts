import { isLiteral, type Literal, type Value } from "../data/value.ts";
import { compareNumbers, isMultipleOf, toDecimal } from "../number/decimal.ts";
import { countPoints } from "../text/count-points.ts";
import { isFullDate } from "../time/day.ts";
import { type Application, reportViolation, type Keyword } from "./evaluation.ts";
import { toCount } from "./values.ts";
import { isEmail, isHostname, isIdnEmail, isIdnHostname, isIpv4, isIpv6 } from "./format-host.ts";
import { isIri, isIriReference, isUri, isUriReference, isUriTemplate } from "./format-uri.ts";
import { toRegExp } from "./patterns.ts";

/** Keywords for numbers, compared exactly as written, and strings. Values of other types pass. */
export const scalarKeywords: Record<string, Keyword> = {
  multipleOf(application, unit) {
    const { value } = application.instance;
    if (!isLiteral(value) || isMultipleOf(toDecimal(value.text), toDecimal(textOf(unit)))) return true;
    return reportViolation(application, "multiple-of", `Must be a multiple of ${textOf(unit)}`);
  },
  // In draft 4, `exclusiveMaximum` and `exclusiveMinimum` are flags.
  maximum: (application, limit) =>
    application.schema.get("exclusiveMaximum") === true
      ? bound(application, limit, "exclusive-maximum")
      : bound(application, limit, "maximum"),
  minimum: (application, limit) =>
    application.schema.get("exclusiveMinimum") === true
      ? bound(application, limit, "exclusive-minimum")
      : bound(application, limit, "minimum"),
  exclusiveMaximum: (application, limit) => bound(application, limit, "exclusive-maximum"),
  exclusiveMinimum: (application, limit) => bound(application, limit, "exclusive-minimum"),
  maxLength(application, limit) {
    const { value } = application.instance;
    if (typeof value !== "string" || countPoints(value) <= toCount(limit)) return true;
    return reportViolation(application, "max-length", `Must have at most ${textOf(limit)} characters`);
  },
  minLength(application, limit) {
    const { value } = application.instance;
    if (typeof value !== "string" || countPoints(value) >= toCount(limit)) return true;
    return reportViolation(application, "min-length", `Must have at least ${textOf(limit)} characters`);
  },
  pattern(application, pattern) {
    const { value } = application.instance;
    if (typeof value !== "string" || application.run.matches(pattern as string, value)) return true;
    return reportViolation(application, "pattern", `Must match the pattern ${shorten(pattern as string)}`);
  },
  format(application, name) {
    const { value } = application.instance;
    if (!application.run.formats || typeof value !== "string") return true;
    const fits = formatOf(name as string);
    if (fits === undefined || fits(value)) return true;
    return reportViolation(application, "format", `Must have the format ${shorten(name as string)}`);
  },
};

const bounds = {
  maximum: [(order: number) => order <= 0, "at most"],
  minimum: [(order: number) => order >= 0, "at least"],
  "exclusive-maximum": [(order: number) => order < 0, "less than"],
  "exclusive-minimum": [(order: number) => order > 0, "greater than"],
} as const;

function bound(application: Application, limit: Value, rule: keyof typeof bounds): boolean {
  const { value } = application.instance;
  const [fits, words] = bounds[rule];
  if (!isLiteral(value) || fits(compareNumbers(value.text, textOf(limit)))) return true;
  return reportViolation(application, rule, `Must be ${words} ${textOf(limit)}`);
}

const textOf = (value: Value): string => (value as Literal).text;

const shorten = (text: string): string => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** The string formats of the drafts. */
const formats = new Map<string, (text: string) => boolean>([
  ["date-time", isDateTime],
  ["date", isFullDate],
  ["time", isTime],
  ["duration", isDuration],
  ["email", isEmail],
  ["idn-email", isIdnEmail],
  ["hostname", isHostname],
  ["idn-hostname", isIdnHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["uri", isUri],
  ["uri-reference", isUriReference],
  ["iri", isIri],
  ["iri-reference", isIriReference],
  ["uri-template", isUriTemplate],
  ["uuid", (text) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text)],
  ["json-pointer", (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text)],
  ["relative-json-pointer", (text) => /^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/.test(text)],
  ["regex", (text) => toRegExp(text, "u") !== undefined],
]);

/** Returns the check of a format, or undefined if it is unknown and therefore ignored. */
export const formatOf = (name: string): ((text: string) => boolean) | undefined => formats.get(name);

/** `full-time`, with an offset. Second 60 is valid only at the end of a UTC day. */
function isTime(text: string): boolean {
  const found = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (found === null) return false;
  const [hour, minute, second, offsetHour, offsetMinute] = [1, 2, 3, 5, 6].map((at) =>
    Number(found[at] ?? 0),
  ) as [number, number, number, number, number];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (found[4] === "-" ? -1 : 1);
  const ofDay = (hour * 60 + minute - offset + 2880) % 1440;
  return ofDay === 1439;
}

/** `date-time`. */
function isDateTime(text: string): boolean {
  return /^.{10}t/is.test(text) && isFullDate(text.slice(0, 10)) && isTime(text.slice(11));
}

const times = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const days = "\\d+D";
const months = `\\d+M(?:${days})?`;
const years = `\\d+Y(?:${months})?`;
const duration = new RegExp(`^P(?:\\d+W|(?:${days}|${months}|${years})(?:${times})?|${times})$`);

/** RFC 3339, appendix A: units in order, with none skipped between two. */
function isDuration(text: string): boolean {
  return duration.test(text);
}
