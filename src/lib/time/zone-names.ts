import { OptionFault } from "../fault.ts";
import { isTimeZone } from "./zone.ts";

/** Offsets of the zones that RFC 5322 §4.3 names. */
const mailOffsets: Readonly<Record<string, string>> = {
  Z: "Z",
  UT: "Z",
  UTC: "Z",
  GMT: "Z",
  EST: "-05:00",
  EDT: "-04:00",
  CST: "-06:00",
  CDT: "-05:00",
  MST: "-07:00",
  MDT: "-06:00",
  PST: "-08:00",
  PDT: "-07:00",
};

/** Offsets of other abbreviations that one region uses. */
const regionalOffsets: Readonly<Record<string, string>> = {
  AKST: "-09:00",
  AKDT: "-08:00",
  NDT: "-02:30",
  WEST: "+01:00",
  CEST: "+02:00",
  EEST: "+03:00",
  MSK: "+03:00",
  CAT: "+02:00",
  EAT: "+03:00",
  SAST: "+02:00",
  PKT: "+05:00",
  ICT: "+07:00",
  HKT: "+08:00",
  SGT: "+08:00",
  KST: "+09:00",
  JST: "+09:00",
  ACST: "+09:30",
  AEST: "+10:00",
  AEDT: "+11:00",
  NZST: "+12:00",
  NZDT: "+13:00",
};

/** Abbreviations of several regions, with the names to choose from. */
const shared: Readonly<Record<string, string>> = {
  AST: "America/Halifax or Asia/Riyadh",
  BST: "Europe/London or Asia/Dhaka",
  IST: "Asia/Kolkata, Asia/Jerusalem or Europe/Dublin",
  ET: "America/New_York",
  CT: "America/Chicago",
  MT: "America/Denver",
  PT: "America/Los_Angeles",
  WAST: "Africa/Windhoek or Australia/Perth",
};

/** Returns the offset of an abbreviation that RFC 5322 §4.3 defines, such as -05:00 for EST. */
export const mailOffsetOf = (abbreviation: string): string | undefined =>
  own(mailOffsets, abbreviation.toUpperCase());

/**
 * Returns the zone that Temporal knows for a name (IANA), an offset, or an abbreviation with one meaning: PST is -08:00 all year round.
 * @throws OptionFault that says what to write.
 */
export function toTimeZone(name: string): string {
  const short = name.toUpperCase();
  if (isTimeZone(name)) return name;
  const offset = own(mailOffsets, short) ?? own(regionalOffsets, short);
  if (offset !== undefined) return offset === "Z" ? "UTC" : offset;
  const choices = own(shared, short);
  throw new OptionFault(
    choices === undefined
      ? "Must be a time zone such as Europe/Paris or +01:00."
      : `${short} is not the name of one zone; write ${choices}.`,
  );
}

const own = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
