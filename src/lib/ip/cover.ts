import type { Address } from "./parse.ts";
import { widthOf } from "./parse.ts";
import { formatAddress } from "./format.ts";

/** Yields the fewest networks that cover every address from `first` to `last` and no other. */
export function* coverRange(version: Address["version"], first: bigint, last: bigint): Generator<string> {
  const width = widthOf(version);
  for (let at = first; at <= last;) {
    // The largest network that is aligned at `at` and ends within the range.
    const bits = Math.min(at === 0n ? width : trailingZeros(at), bitLength(last - at + 1n) - 1);
    yield `${formatAddress({ version, value: at })}/${width - bits}`;
    at += 1n << BigInt(bits);
  }
}

/** Returns the number of trailing zero bits of a value above 0. */
const trailingZeros = (value: bigint): number => bitLength(value & -value) - 1;

/** Returns the bit length of a value above 0. */
function bitLength(value: bigint): number {
  let bits = 0;
  let rest = value;
  for (; rest > 0xffffffffn; rest >>= 32n) bits += 32;
  return bits + 32 - Math.clz32(Number(rest));
}
