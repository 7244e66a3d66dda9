const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The last millisecond that 48 bits can tell, in the year 10889. */
export const maxUlidTime = 2 ** 48 - 1;

/**
 * ULIDs of one millisecond, in order: the first is random, each that follows is one more. Should the 80
 * random bits run over, the millisecond takes the carry, so that order is kept.
 */
export function drawUlids(count: number, now: number, random: (size: number) => Uint8Array): string[] {
  let value = (BigInt(now) << 80n) | BigInt(`0x${random(10).toHex()}`);
  return Array.from({ length: count }, () => toCrockford(value++));
}

/** In parts that a number holds: with a BigInt for each of 26 digits, ten thousand of them were 100 ms. */
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
