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

function toCrockford(value: bigint): string {
  let text = "";
  let rest = value;
  for (let index = 0; index < 26; index++) {
    text = alphabet.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  return text;
}
