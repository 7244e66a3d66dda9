import { childrenOf, type Der, toOid, toText } from "./der.ts";

/**
 * Formats a distinguished name in encoded order (C=DE, O=…, CN=…), with special characters escaped as in RFC
 * 4514 §2.4.
 */
export const toName = (name: Der): string =>
  childrenOf(name)
    .map((set) => childrenOf(set).map(toAttribute).join("+"))
    .join(", ");

/** Returns the last common name in a distinguished name, which old clients use. */
export function commonNameOf(name: Der): string | undefined {
  const attributes = childrenOf(name).flatMap(childrenOf).map(childrenOf);
  const found = attributes.findLast(([type]) => type !== undefined && toOid(type.content) === "2.5.4.3");
  return found?.[1] && toText(found[1]);
}

function toAttribute(attribute: Der): string {
  const [type, value] = childrenOf(attribute);
  if (type === undefined || value === undefined) return "";
  const oid = toOid(type.content);
  return `${shortNames[oid] ?? oid}=${escape(toText(value))}`;
}

const escape = (text: string): string =>
  text
    .replace(/[",+<>;\\]/g, (character) => `\\${character}`)
    .replace(/^[# ]| $/g, (character) => `\\${character}`);

const shortNames: Record<string, string> = {
  "2.5.4.3": "CN",
  "2.5.4.4": "SN",
  "2.5.4.5": "serialNumber",
  "2.5.4.6": "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.9": "street",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "2.5.4.12": "title",
  "2.5.4.15": "businessCategory",
  "2.5.4.17": "postalCode",
  "2.5.4.42": "GN",
  "2.5.4.97": "organizationIdentifier",
  "0.9.2342.19200300.100.1.1": "UID",
  "0.9.2342.19200300.100.1.25": "DC",
  "1.2.840.113549.1.9.1": "emailAddress",
  "1.3.6.1.4.1.311.60.2.1.2": "jurisdictionST",
  "1.3.6.1.4.1.311.60.2.1.3": "jurisdictionC",
};
