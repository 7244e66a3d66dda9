import { isDate, isDateTime, isDuration, isTime } from "./format-time.ts";
import { isEmail, isHostname, isIdnEmail, isIdnHostname, isIpv4, isIpv6 } from "./format-host.ts";
import { isIri, isIriReference, isUri, isUriReference, isUriTemplate } from "./format-uri.ts";
import { toRegExp } from "./patterns.ts";

/** The string formats of the drafts. */
const formats = new Map<string, (text: string) => boolean>([
  ["date-time", isDateTime],
  ["date", isDate],
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
