/** A notation of dates. The groups of its pattern are those of `DateParts`. */
export interface DateForm {
  format: string;
  pattern: RegExp;
}

/** The groups of a pattern, as text; everything but one form of the date is optional. */
export interface DateParts {
  week?: string;
  day?: string;
  /** An English name, or digits. */
  month?: string;
  year?: string;
  /** A year of two digits. */
  short?: string;
  /** 10:00, 10:00:00 or 10:00:00.123 */
  time?: string;
  /** am or pm */
  half?: string;
  /** An offset, an abbreviation or the name of a zone. */
  zone?: string;
  /** A date in an ISO 8601 notation that Temporal reads. */
  iso?: string;
  /** Ordinal date: the day of the year. */
  ordinal?: string;
  /** Week date: the week of the year; `weekday` is 1 to 7. */
  isoWeek?: string;
  weekday?: string;
  /** Numbers in the order that `dateOrder` decides. */
  first?: string;
  second?: string;
  hour?: string;
  minute?: string;
  seconds?: string;
}

const week = String.raw`(?:(?<week>[a-z]{3,9})\.?,? +)?`;
const day = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const month = String.raw`(?<month>[a-z]{3,9})\.?`;
/** A time of hours alone, as in 3 PM, needs `half`. */
const time = String.raw`(?<time>\d{1,2}(?::\d{2}(?::\d{2}(?:[.,]\d{1,40})?)?)?)(?: ?(?<half>[ap])\.?m\.?)?`;
const zone = String.raw`(?<zone>(?:gmt|utc)?[+-]\d{1,2}(?::?\d{2}){0,2}|[a-z]{1,5}|[a-z_]+\/[\w/+-]+)`;
/** RFC 5322 §3.2.2: a comment; browsers and mail programs write the name of the zone there. */
const comment = String.raw`(?: *\([^()]*\))?`;
const clock = String.raw`(?:(?:,| at)? +${time}(?: *${zone})?)?${comment}`;

const form = (format: string, pattern: string): DateForm => ({
  format,
  pattern: new RegExp(`^${pattern}$`, "i"),
});

/** The notations, the strictest first. */
export const dateForms: readonly DateForm[] = [
  // IMF-fixdate (RFC 9110 §5.6.7), and the e-mail date with its offset.
  form(
    "rfc7231",
    String.raw`(?:(?<week>[a-z]{3}), )?(?<day>\d{1,2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) (?<zone>GMT|[+-]\d{4})`,
  ),
  // The format of RFC 850.
  form(
    "rfc7231",
    String.raw`(?<week>[a-z]{6,9}), (?<day>\d{2})-(?<month>[a-z]{3})-(?<short>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) (?<zone>GMT)`,
  ),
  // asctime, which is UTC in HTTP.
  form(
    "rfc7231",
    String.raw`(?<week>[a-z]{3}) (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})(?<zone>)`,
  ),
  // Git's default, with an offset after the year.
  form(
    "git",
    String.raw`(?:(?<week>[a-z]{3}) )?(?<month>[a-z]{3}) {1,2}(?<day>\d{1,2}) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4}) (?<zone>[+-]\d{4})`,
  ),
  // date(1); with an offset, Ruby and Twitter.
  form("date", String.raw`${week}${month} {1,2}${day} ${time} ${zone} (?<year>\d{4})`),
  // The common log format of Apache and nginx.
  form(
    "clf",
    String.raw`(?<day>\d{1,2})\/(?<month>[a-z]{3})\/(?<year>\d{4}):(?<time>\d{2}:\d{2}:\d{2}(?:\.\d{1,40})?) (?<zone>[+-]\d{4})`,
  ),
  // The error log of Apache; openssl, whose zone is at the end.
  form("ctime", String.raw`${week}${month} {1,2}${day} ${time} (?<year>\d{4})(?: ${zone})?`),
  // RFC 5322 §3.3 with the obsolete forms of §4.3, and the dates of cookies (RFC 6265 §5.1.1).
  form(
    "rfc5322",
    String.raw`${week}${day}(?<hyphen>[ -]) ?${month}(?:\k<hyphen>|, ?)(?:(?<year>\d{4})|(?<short>\d{2}))${clock}`,
  ),
  // Date.toString() of JavaScript, and the dates of the United States in words.
  form("javascript", String.raw`${week}${month} {1,2}${day},? +(?<year>\d{4})${clock}`),
  // GeneralizedTime of LDAP and ASN.1 (RFC 4517 §3.3.13).
  form(
    "generalized",
    String.raw`(?<iso>(?:1[6-9]|2[01])\d{6})(?<hour>\d{2})(?:(?<minute>\d{2})(?<seconds>\d{2}(?:[.,]\d{1,40})?)?)?(?<zone>Z|[+-]\d{2}(?:\d{2})?)`,
  ),
  // UTCTime of ASN.1, whose years are those of RFC 5280 §4.1.2.5.1.
  form(
    "utctime",
    String.raw`(?<short>\d{2})(?<month>\d{2})(?<day>\d{2})(?<hour>\d{2})(?<minute>\d{2})(?<seconds>\d{2})?(?<zone>Z|[+-]\d{4})`,
  ),
  // syslog (RFC 3164 §4.1.2) and klog leave out the year.
  form(
    "syslog",
    String.raw`(?<month>[a-z]{3}) {1,2}(?<day>\d{1,2}) (?<time>\d{2}:\d{2}:\d{2}(?:\.\d{1,40})?)`,
  ),
  form("klog", String.raw`[IWEF](?<month>\d{2})(?<day>\d{2}) (?<time>\d{2}:\d{2}:\d{2}(?:\.\d{1,40})?)`),
  // ISO 8601: ordinal dates, week dates and months.
  form("ordinal", String.raw`(?<year>\d{4})-(?<ordinal>\d{3})(?:[T ]${time} ?${zone}?)?`),
  form(
    "week",
    String.raw`(?<year>\d{4})-?W(?<isoWeek>\d{2})(?:-?(?<weekday>[1-7]))?(?:[T ]${time} ?${zone}?)?`,
  ),
  form("month", String.raw`(?<iso>\d{4}-\d{2})`),
  // ISO 8601 with a space before the offset, an abbreviation after it, the name of a zone, or 12 hours: Ruby, `git log --date=iso`,
  // and Go, which also writes its monotonic clock.
  form(
    "iso",
    String.raw`(?<iso>\d{4}-\d{2}-\d{2})(?:[T_]| +)${time}(?: ?${zone}(?: [a-z]{2,5}| [+-]\d{2,4})?(?: m=[+-][\d.]+)?)?${comment}`,
  ),
  // Germany, Poland, Russia: dots tell that the day is first.
  form("dotted", String.raw`${week}${day}\. ?(?<month>\d{1,2})\. ?(?<year>\d{4})${clock}`),
  form("dotted", String.raw`${week}${day}\. ?${month} (?<year>\d{4})${clock}`),
  form(
    "slashed",
    String.raw`(?<first>\d{1,2})(?<hyphen>[/-])(?<second>\d{1,2})\k<hyphen>(?:(?<year>\d{4})|(?<short>\d{2}))${clock}`,
  ),
];
