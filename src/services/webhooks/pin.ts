import type { LookupFunction } from "node:net";
import type { Resolved } from "./resolve.ts";

/** Addresses tried per IP family; a hostile name may resolve to thousands that never answer. */
const tried = 4;

/**
 * A look-up that always returns the vetted addresses. Resolving again would let an attacker's name server return
 * 127.0.0.1 (DNS rebinding). If Node asks for all addresses it gets the first few, and tries them in turn (RFC 8305).
 */
export const pin =
  (addresses: readonly Resolved[]): LookupFunction =>
  (_, { all }, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error("no address"), "", 0);
    else if (all === true) callback(null, takeFew(addresses));
    else callback(null, first.address, first.family);
  };

function takeFew(addresses: readonly Resolved[]): Resolved[] {
  const taken: Record<number, number> = {};
  return addresses.filter(({ family }) => (taken[family] = (taken[family] ?? 0) + 1) <= tried);
}
