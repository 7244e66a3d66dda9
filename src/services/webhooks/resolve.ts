import { lookup as lookupName } from "node:dns/promises";

/** An address that a name has. */
export interface Resolved {
  address: string;
  family: number;
}

/** Every address of a name. Rejects where it has none. */
export type Lookup = (name: string) => Promise<readonly Resolved[]>;

export interface ResolverOptions {
  lookup?: Lookup | undefined;
  /** Milliseconds of a clock that never goes back. */
  monotonic?: () => number;
}

/** After that long an answer of before is used. */
const patienceMs = 1000;
/** An answer is of use for so long. */
const rememberedMs = 600_000;
const capacity = 1000;
/** Of a name. One with thousands is not worth its room. */
const mostAddresses = 64;

/**
 * Asks the system. getaddrinfo has two of Node's threads and keeps one for as long as a name server is silent, so that names
 * whose servers are dead would hold up the receivers of all others: whoever asks for the same name waits for the same
 * answer, and a name that was known ten minutes ago waits no longer than a second for what it is now.
 */
export function createResolver({
  lookup = askSystem,
  monotonic = () => performance.now(),
}: ResolverOptions): Lookup {
  const asked = new Map<string, Promise<readonly Resolved[]>>();
  const remembered = new Map<string, { addresses: readonly Resolved[]; at: number }>();

  function ask(name: string): Promise<readonly Resolved[]> {
    const known = asked.get(name);
    if (known !== undefined) return known;
    const answer = lookup(name)
      .then((addresses) => {
        if (remembered.size >= capacity) remembered.clear();
        if (addresses.length > mostAddresses) remembered.delete(name);
        else remembered.set(name, { addresses, at: monotonic() });
        return addresses;
      })
      .finally(() => asked.delete(name));
    asked.set(name, answer);
    return answer;
  }

  return async (name) => {
    const answer = ask(name);
    const before = remembered.get(name);
    if (before === undefined || monotonic() - before.at > rememberedMs) return answer;
    const late = Promise.withResolvers<readonly Resolved[]>();
    const timer = setTimeout(() => late.resolve(before.addresses), patienceMs);
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

const askSystem: Lookup = (name) => lookupName(name, { all: true, order: "verbatim" });
