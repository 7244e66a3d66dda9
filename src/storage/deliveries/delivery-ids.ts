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
