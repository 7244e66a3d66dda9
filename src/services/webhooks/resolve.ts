import { lookup as lookupName } from "node:dns/promises";
import type { Runtime } from "../../runtime.ts";

/** An address of a name. */
export interface Resolved {
  address: string;
  family: number;
}

/** Returns every address of a name. Rejects if it has none. */
export type Lookup = (name: string) => Promise<readonly Resolved[]>;

export interface ResolverOptions {
  lookup?: Lookup | undefined;
  runtime: Runtime;
}

/** Milliseconds after which an earlier answer is used instead. */
const patienceMs = 1000;
/** Milliseconds for which an earlier answer may be used. */
const rememberedMs = 600_000;
const capacity = 1000;
/** Most addresses of a cached name. */
const maxAddresses = 64;

/**
 * Resolves names by the system. getaddrinfo may use two of Node's threads, and occupies one as long as a name server is
 * silent, so that names with dead servers would delay the receivers of all others. Hence concurrent look-ups of a name
 * share one answer, and a name resolved within ten minutes waits at most a second for a new one.
 */
export function createResolver({ lookup = askSystem, runtime }: ResolverOptions): Lookup {
  const asked = new Map<string, Promise<readonly Resolved[]>>();
  const remembered = new Map<string, { addresses: readonly Resolved[]; at: number }>();

  function ask(name: string): Promise<readonly Resolved[]> {
    const known = asked.get(name);
    if (known !== undefined) return known;
    const answer = lookup(name)
      .then((addresses) => {
        if (remembered.size >= capacity) remembered.clear();
        if (addresses.length > maxAddresses) remembered.delete(name);
        else remembered.set(name, { addresses, at: runtime.monotonic() });
        return addresses;
      })
      .finally(() => asked.delete(name));
    asked.set(name, answer);
    return answer;
  }

  return async (name) => {
    const answer = ask(name);
    const before = remembered.get(name);
    if (before === undefined || runtime.monotonic() - before.at > rememberedMs) return answer;
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
