import type { ReadTime } from "./read.ts";

/**
 * Returns the time in a ULID, a KSUID, a UUID of version 1, 6 or 7 (RFC 9562) or an ObjectId, or undefined if the text
 * is none.
 */
export function readIdentifierTime(text: string): ReadTime | undefined {
  if (/^[\da-f]{24}$/i.test(text))
    return { format: "objectid", nanoseconds: BigInt(parseInt(text.slice(0, 8), 16)) * 1_000_000_000n };
  if (/^[0-7][\da-hjkmnp-tv-z]{25}$/i.test(text))
    return { format: "ulid", nanoseconds: numberIn(text.slice(0, 10).toLowerCase(), crockford) * 1_000_000n };
  if (/^[\dA-Za-z]{27}$/.test(text)) return ksuidTime(text);
  const uuid = /^([\da-f]{8})-([\da-f]{4})-([167])([\da-f]{3})-[89ab][\da-f]{3}-[\da-f]{12}$/i.exec(text);
  if (uuid === null) return undefined;
  const [, first = "", second = "", version, third = ""] = uuid;
  if (version === "7") return { format: "uuid-v7", nanoseconds: BigInt(`0x${first}${second}`) * 1_000_000n };
  const ticks = version === "1" ? third + second + first : first + second + third;
  // RFC 9562 §5.1: 100 ns since the Gregorian reform, 1582-10-15.
  const nanoseconds = (BigInt(`0x${ticks}`) - 0x01b21dd213814000n) * 100n;
  return { format: `uuid-v${version}`, nanoseconds };
}

/** A KSUID is 20 bytes in base 62; the first four are the seconds since 2014-05-13T16:53:20Z. */
function ksuidTime(text: string): ReadTime | undefined {
  const bits = numberIn(text, base62);
  if (bits >= 1n << 160n) return undefined;
  return { format: "ksuid", nanoseconds: ((bits >> 128n) + 1_400_000_000n) * 1_000_000_000n };
}

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function numberIn(text: string, alphabet: string): bigint {
  let value = 0n;
  for (const character of text) value = value * BigInt(alphabet.length) + BigInt(alphabet.indexOf(character));
  return value;
}
