import { toInstant } from "../../catalog/duration.ts";
import type { Lease } from "../../storage/lease.ts";
import type { disabledReasons, EndpointRecord } from "../../storage/records.ts";
import type { Store } from "../../storage/storage.ts";
import type { Runtime } from "../../runtime.ts";

/** The endpoint records, for publishing and sending. */
export interface EndpointBook {
  /** Returns a record at most 500 ms old; undefined if it was removed. @throws if it cannot be read. */
  look(id: string): Promise<EndpointRecord | undefined>;
  /** Returns undefined if the endpoint is gone or disabled already. */
  disable(id: string, reason: (typeof disabledReasons)[number]): Promise<EndpointRecord | undefined>;
  /** Returns the endpoints of an account, slightly stale; changes made by this process are included at once. */
  ofAccount(account: string): Promise<readonly EndpointRecord[]>;
}

export interface EndpointPages extends EndpointBook {
  add(record: EndpointRecord, lease: Lease): Promise<void>;
  /** Returns undefined if there is no such endpoint or `alter` leaves it unchanged. */
  change(
    id: string,
    alter: (record: EndpointRecord) => EndpointRecord | undefined,
  ): Promise<EndpointRecord | undefined>;
  remove(id: string, lease?: Lease): Promise<void>;
}

const freshMs = 500;
const maxPages = 10_000;
/** A store that takes long to list endpoints is asked less often, by this factor. */
const restFactor = 10;

/** The endpoints of an account as they were read. */
interface Page {
  since: number;
  until: number;
  records: Promise<readonly EndpointRecord[]>;
}

export function createEndpointBook(deps: { endpoints: Store["endpoints"]; runtime: Runtime }): EndpointPages {
  const { endpoints, runtime } = deps;
  /** The endpoints of accounts by their names, in the order in which they were read. */
  const pages = new Map<string, Page>();

  /** Shared by concurrent callers. */
  function readOf(account: string): Promise<readonly EndpointRecord[]> {
    const since = runtime.now();
    const known = pages.get(account);
    // If the clock was set back, the page counts as old.
    if (known !== undefined && since >= known.since && since < known.until) return known.records;
    const reading = { since, until: Infinity, records: readRecords(account) };
    pages.delete(account);
    if (pages.size >= maxPages) pages.delete(pages.keys().next().value as string);
    pages.set(account, reading);
    reading.records.then(
      () => (reading.until = Math.max(since + freshMs, runtime.now() + (runtime.now() - since) * restFactor)),
      () => {
        // The next call tries again.
        if (pages.get(account) === reading) pages.delete(account);
      },
    );
    return reading.records;
  }

  const readRecords = async (account: string): Promise<readonly EndpointRecord[]> =>
    (await endpoints.of(account)).records;

  /** A change of this process is seen by its next `ofAccount`. */
  const write = <T>(work: () => Promise<T>): Promise<T> => work().finally(() => pages.clear());

  const change: EndpointPages["change"] = (id, alter) =>
    write(async () => (await endpoints.change(withoutPrefix(id), alter))?.after);

  return {
    look: async (id) => endpoints.lookup(withoutPrefix(id)),
    disable: (id, disabledReason) =>
      change(id, (record) =>
        record.state === "disabled"
          ? undefined
          : { ...record, state: "disabled", disabledReason, disabledAt: toInstant(runtime.now()) },
      ),
    ofAccount: async (account) => readOf(account),
    add: (record, lease) =>
      write(async () => {
        if (!(await endpoints.add(withoutPrefix(record.id), record, lease)))
          throw new Error("an endpoint with this id exists");
      }),
    change,
    remove: (id, lease) => write(() => endpoints.remove(withoutPrefix(id), lease)),
  };
}

const withoutPrefix = (id: string): string => id.slice("we_".length);
