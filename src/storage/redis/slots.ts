import type { Cluster } from "ioredis";

/** Slots of a cluster. Each server has some of them, and a name lies where its slot is. */
export const slots = 16_384;

/** Returns the slot of a name: the CRC-16 (XMODEM) of what stands in its first braces, or of all of it (Redis Cluster specification, "Hash tags"). */
export function slotOf(name: string): number {
  const open = name.indexOf("{");
  const close = open === -1 ? -1 : name.indexOf("}", open + 1);
  let crc = 0;
  for (const byte of Buffer.from(close > open + 1 ? name.slice(open + 1, close) : name)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    crc &= 0xffff;
  }
  return crc % slots;
}

/** Returns `host:port` of the primary that has a slot, as far as the client knows. */
export const ownerOf = (client: Cluster, slot: number): string | undefined => client.slots[slot]?.[0];
