import type { LookupFunction } from "node:net";
import type { Resolved } from "./resolve.ts";

/** Of each family. A name may have thousands, all of them other people's, and none of which answers. */
const tried = 4;

/**
 * A look-up that knows one answer: the addresses that were judged. Asked again, the name server of an attacker would say
 * 127.0.0.1 (DNS rebinding). Where Node wants all of them it gets the first few and tries one after the other (RFC 8305).
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
