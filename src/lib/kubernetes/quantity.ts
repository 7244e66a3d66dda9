/** An amount in units of 10^-scale of its resource; binary suffixes are multiplied out. */
export interface Quantity {
  digits: bigint;
  scale: number;
}

const powers: Record<string, number> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** Most characters of a quantity that is compared; longer ones are no amount of anything. */
const maxLength = 64;

/** Parses a quantity such as 500m, 1.5Gi or 1e3 (the serialization of resource.Quantity); undefined if it is none. */
export function parseQuantity(text: string): Quantity | undefined {
  if (text.length > maxLength) return undefined;
  const [, sign, whole = "", fraction = "", bare = "", suffix = ""] =
    /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))((?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,2})?)$/.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const decimals = fraction + bare;
  let digits = BigInt(`${whole}${decimals}`);
  let power = 0;
  if (suffix.endsWith("i")) digits <<= BigInt(10 * ("KMGTPE".indexOf(suffix.charAt(0)) + 1));
  else if (/^[eE]./.test(suffix)) power = Number(suffix.slice(1));
  else power = powers[suffix] ?? 0;
  return { digits: sign === "-" ? -digits : digits, scale: decimals.length - power };
}

/** Returns a negative number if `a` is less than `b`, zero if they are equal, and a positive number otherwise. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = a.digits * 10n ** BigInt(scale - a.scale) - b.digits * 10n ** BigInt(scale - b.scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
