import { formatUuids } from "../../lib/uuid/format.ts";
import { unixUuids } from "../../lib/uuid/timed.ts";

/** Returns `count` new delivery ids, in order. */
export const makeDeliveryIds = (count: number, at: number, random: (size: number) => Uint8Array): string[] =>
  formatUuids(unixUuids(count, at, random))
    .split("\n")
    .map((uuid) => `dlv_${uuid}`);

/**
 * Returns when an id with a UUID of version 7 (RFC 9562 §5.7) was made, in epoch milliseconds; undefined for any other
 * id.
 */
export function timeOfId(id: string): number | undefined {
  const [, high = "", low = ""] =
    /^[a-z]+_([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.exec(id) ?? [];
  return high === "" ? undefined : Number.parseInt(high + low, 16);
}

/** Returns the 16 bytes of the UUID of version 7 in the id of a delivery; undefined for anything else. */
export const toIdBytes = (id: string): Uint8Array | undefined =>
  id.startsWith("dlv_") && timeOfId(id) !== undefined
    ? new Uint8Array(Buffer.from(id.slice(4).replaceAll("-", ""), "hex"))
    : undefined;

/** The first and the last of all bytes of ids. */
export const firstId = new Uint8Array(16);
export const lastId = new Uint8Array(16).fill(0xff);

/** Returns bytes that come before those of every id made at this time, and after those of every earlier one. */
export function idBytesAt(time: number): Uint8Array {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.min(Math.max(0, Math.floor(time)), 2 ** 48 - 1), 0, 6);
  return new Uint8Array(bytes);
}
