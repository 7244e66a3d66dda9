import { stamp } from "./format.ts";

type Random = (size: number) => Uint8Array;

/** 100-nanosecond steps from 1582-10-15 to 1970-01-01. */
const gregorianSteps = 122_192_928_000_000_000n;

/** The times that a version can represent, in epoch milliseconds. */
export const timeRange = {
  1: { from: -12_219_292_800_000, to: 103_072_857_660_683 },
  6: { from: -12_219_292_800_000, to: 103_072_857_660_683 },
  7: { from: 0, to: 2 ** 48 - 1 },
} as const;

/**
 * RFC 9562 §5.1 and §5.6. One clock sequence and one random node (§6.10) per call; the steps below the
 * millisecond count up (§6.1), so that up to 10,000 UUIDs of one moment differ and, in version 6, are in
 * order.
 */
export function gregorianUuids(version: "1" | "6", count: number, now: number, random: Random): Uint8Array {
  const bytes = new Uint8Array(16 * count);
  const view = new DataView(bytes.buffer);
  const tail = random(8);
  // Sets the multicast bit, which no network card has: this node is never a real address.
  tail[2] = (tail[2] as number) | 1;
  const first = BigInt(now) * 10_000n + gregorianSteps;
  for (let index = 0; index < count; index++) {
    const at = 16 * index;
    const steps = first + BigInt(index);
    if (version === "1") {
      view.setUint32(at, Number(steps & 0xffff_ffffn));
      view.setUint16(at + 4, Number((steps >> 32n) & 0xffffn));
      view.setUint16(at + 6, Number(steps >> 48n));
    } else {
      view.setUint32(at, Number(steps >> 28n));
      view.setUint16(at + 4, Number((steps >> 12n) & 0xffffn));
      view.setUint16(at + 6, Number(steps & 0xfffn));
    }
    bytes.set(tail, at + 8);
    stamp(bytes, at, Number(version));
  }
  return bytes;
}

/**
 * RFC 9562 §5.7. Within a call, each is greater than the previous one (§6.2, method 2): the 74 random bits
 * start in their lower half and grow by random steps of 1 to 2^32, so that 10,000 cannot overflow.
 */
export function unixUuids(count: number, now: number, random: Random): Uint8Array {
  const bytes = new Uint8Array(16 * count);
  const view = new DataView(bytes.buffer);
  const seed = random(10 + 4 * (count - 1));
  const source = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
  // 74 bits as 12 (rand_a), 30 and 32 (rand_b): as numbers, because big integers would take ten times as
  // long.
  let high = source.getUint16(0) & 0x7ff;
  let middle = source.getUint32(2) & 0x3fff_ffff;
  let low = source.getUint32(6);
  for (let index = 0; index < count; index++) {
    if (index > 0) low += source.getUint32(6 + 4 * index) + 1;
    if (low > 0xffff_ffff) {
      low -= 0x1_0000_0000;
      middle++;
    }
    if (middle > 0x3fff_ffff) {
      middle = 0;
      high++;
    }
    const at = 16 * index;
    view.setUint32(at, Math.floor(now / 0x1_0000));
    view.setUint16(at + 4, now % 0x1_0000);
    view.setUint16(at + 6, high);
    view.setUint32(at + 8, middle);
    view.setUint32(at + 12, low);
    stamp(bytes, at, 7);
  }
  return bytes;
}
