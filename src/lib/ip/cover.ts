import type { Address } from "./parse.ts";
import { widthOf } from "./parse.ts";
import { formatAddress } from "./format.ts";

/** The fewest networks that hold every address from `first` to `last` and no other. */
export function* coverRange(version: Address["version"], first: bigint, last: bigint): Generator<string> {
  const width = widthOf(version);
  for (let at = first; at <= last;) {
    let bits = at === 0n ? width : trailingZeros(at);
    // As large as the place allows, and not beyond the end.
    while (at + (1n << BigInt(bits)) - 1n > last) bits--;
    yield `${formatAddress({ version, value: at })}/${width - bits}`;
    at += 1n << BigInt(bits);
  }
}

const trailingZeros = (value: bigint): number => (value & -value).toString(2).length - 1;
