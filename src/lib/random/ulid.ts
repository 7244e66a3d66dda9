const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The last millisecond that fits into 48 bits, in the year 10889. */
export const maxUlidTime = 2 ** 48 - 1;

/**
 * Draws ULIDs of one millisecond, in order: the first is random, each following one is one greater. If the 80
 * random bits overflow, the carry goes into the millisecond, which keeps the order.
 */
export function drawUlids(count: number, now: number, random: (size: number) => Uint8Array): string[] {
  let value = (BigInt(now) << 80n) | BigInt(`0x${random(10).toHex()}`);
  return Array.from({ length: count }, () => toCrockford(value++));
}

/** In parts that fit into numbers: with a BigInt per digit, ten thousand ULIDs took 100 ms. */
function toCrockford(value: bigint): string {
  return (
    toDigits(Number(value >> 100n), 6) +
    toDigits(Number(BigInt.asUintN(50, value >> 50n)), 10) +
    toDigits(Number(BigInt.asUintN(50, value)), 10)
  );
}

function toDigits(value: number, count: number): string {
  let text = "";
  let rest = value;
  for (let index = 0; index < count; index++) {
    text = alphabet.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
