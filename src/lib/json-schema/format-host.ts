import { domainToASCII } from "node:url";
import { isIdnLabel } from "./format-idn.ts";
import { decodePunycode } from "../punycode.ts";

/** Dotted decimal without leading zeros (RFC 2673 §3.2). */
export const isIpv4 = (text: string): boolean =>
  /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);

/** RFC 4291 §2.2; a zone is not part of an address. */
export function isIpv6(text: string): boolean {
  if (!/^[\da-f:.]+$/i.test(text)) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    if (half === "") continue;
    const parts = half.split(":");
    for (const [at, part] of parts.entries()) {
      const last = index === halves.length - 1 && at === parts.length - 1;
      if (part.includes(".")) {
        if (!last || !isIpv4(part)) return false;
        groups += 2;
      } else if (/^[\da-f]{1,4}$/i.test(part)) groups++;
      else return false;
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

/**
 * RFC 1123 §2.1 and RFC 1034 §3.5; labels in Punycode must decode to labels that IDNA allows (RFC 5890
 * §2.3.2.1).
 */
export function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => readAsciiLabel(label) !== undefined);
}

/** RFC 5890: the full stops of other scripts separate labels too. */
export function isIdnHostname(text: string): boolean {
  if (text === "" || text.length > 253) return false;
  const labels = text.split(/[.\u3002\uff0e\uff61]/).map((label) => {
    // oxlint-disable-next-line no-control-regex
    if (!/^[\x00-\x7f]*$/.test(label)) return isUnicodeLabel(label) ? label : undefined;
    // RFC 5891 §4.2.3.1: hyphens in the third and fourth position are reserved for A-labels.
    return /^(?!xn)..--/i.test(label) ? undefined : readAsciiLabel(label);
  });
  return labels.every((label) => label !== undefined) && keepsBidiRule(labels);
}

/** A U-label, whose A-label may have 63 characters at most. */
function isUnicodeLabel(label: string): boolean {
  const ascii = domainToASCII(label);
  return isIdnLabel(label) && ascii !== "" && ascii.length <= 63;
}

/** Returns the label, decoded if it is Punycode, or undefined if it is invalid. */
function readAsciiLabel(label: string): string | undefined {
  if (!/^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label)) return undefined;
  if (!/^xn--/i.test(label)) return label;
  const decoded = decodePunycode(label.slice(4).toLowerCase());
  return decoded !== undefined && isUnicodeLabel(decoded) ? decoded : undefined;
}

const atom = "[\\w!#$%&'*+/=?^`{|}~-]+";
const quoted = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';
const ascii = new RegExp(`^(?:${atom}(?:\\.${atom})*|${quoted})$`);
const international = new RegExp(
  `^(?:${atom.replace("\\w", "\\w\\u0080-\\u{10ffff}")}(?:\\.${atom.replace("\\w", "\\w\\u0080-\\u{10ffff}")})*|${quoted.replace("#-", "\\u0080-\\u{10ffff}#-")})$`,
  "u",
);

/** `Mailbox` of RFC 5321 §4.1.2. */
export const isEmail = (text: string): boolean => isMailbox(text, ascii, isDomain);

/** The same with the characters of RFC 6531. */
export const isIdnEmail = (text: string): boolean =>
  isMailbox(text, international, (host) => isIdnHostname(host.normalize("NFC")));

/** `Domain` of RFC 5321: letters, digits and hyphens, whatever their prefix. */
const isDomain = (text: string): boolean =>
  text.length <= 253 &&
  /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i.test(text);

function isMailbox(text: string, local: RegExp, isHost: (text: string) => boolean): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1 || at > 64 || !local.test(text.slice(0, at))) return false;
  const host = text.slice(at + 1);
  if (!host.startsWith("[") || !host.endsWith("]")) return isHost(host);
  const address = host.slice(1, -1);
  return /^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : isIpv4(address);
}

/** Letters and digits of bidirectional class R, AL or AN (UAX #9); those from ۰ to ۹ are European numbers. */
const rightToLeft =
  /(?![\u06f0-\u06f9])[\p{L}\p{Nd}](?<=[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])/u;

/** Characters of the classes EN, ES and ON that IDNA allows. A left-to-right label cannot begin with one. */
const weak =
  "\\d\\u06f0-\\u06f9\\u00b7\\u02b9\\u02ba\\u02c6-\\u02cf\\u02ec\\u0375\\u30fb\\ua717-\\ua71f\\ua788-";
const beginsWeak = new RegExp(`^[\\p{M}${weak}]`, "u");
/** A number may end a label, a neutral character may not. */
const endsNeutral = new RegExp(`[${weak.replace("\\d\\u06f0-\\u06f9", "")}]\\p{Mn}*$`, "u");

/**
 * Checks the labels of a host name, all U-labels or ASCII, against each other (RFC 5893 §2): if one has
 * right-to-left letters, the others must begin with a letter (rule 1) and end with a letter or a digit (rules
 * 3 and 6). The rules within a right-to-left label (2 to 4) are checked with the label.
 */
const keepsBidiRule = (labels: readonly string[]): boolean =>
  !labels.some((label) => rightToLeft.test(label)) ||
  labels.every((label) => !beginsWeak.test(label) && (rightToLeft.test(label) || !endsNeutral.test(label)));
