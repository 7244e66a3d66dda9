import { type StoreError, toStoreError } from "../errors.ts";
import { idBytesAt, lastId, toIdBytes } from "../deliveries/delivery-ids.ts";
import type { Attempt, Delivery, DeliveryDetail, DeliveryQuery } from "../deliveries/delivery-queue.ts";
import { isAskedFor, type Newest } from "../deliveries/newest.ts";
import type { EndedBounds, EndedPage, EndedRow, EndedText } from "./ended-rows.ts";
import type { HistoryPlace } from "./place.ts";

/** A delivery that has ended, as it is written; `length` is about its size in bytes. */
export interface EndedEntry {
  row: EndedRow;
  length: number;
}

/** The log of ended deliveries. Every method throws StoreError. */
export interface EndedLog {
  /** Resolves when the kernel has the entries; if it rejects, none of them count. */
  append(entries: readonly EndedEntry[]): Promise<void>;
  find(id: string): Promise<DeliveryDetail | undefined>;
  /** Passes matching deliveries to `newest`, except those that `isSkipped` accepts. */
  search(query: DeliveryQuery, newest: Newest, isSkipped: (id: string) => boolean): Promise<void>;
  /** Reports whether deliveries of this event have ended. */
  has(event: string): Promise<boolean>;
  /** Forgets deliveries that ended before `before`. Does bounded work; returns false while more remains. */
  forget(before: number): Promise<boolean>;
}

/** Most rows of one call. */
const maxRows = 500;

export function createEndedLog(
  { file, call, report }: Pick<HistoryPlace, "file" | "call" | "report">,
  onError: (error: StoreError) => void,
): EndedLog {
  let forgotten = -Infinity;

  async function reading<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw toStoreError("read", file, error);
    }
  }

  const isKept = ({ endedAt = 0 }: Delivery): boolean => endedAt > forgotten;

  async function searchValues(
    values: EndedBounds["values"],
    query: DeliveryQuery,
    see: (delivery: Delivery) => boolean,
  ): Promise<void> {
    const { limit, after, since = 0 } = query;
    let below: Uint8Array | undefined =
      after === undefined ? lastId : (toIdBytes(after.id) ?? idBytesAt(after.createdAt + 1));
    for (let left = limit; left > 0 && below !== undefined;) {
      const bounds = { values, below, from: idBytesAt(since), limit: Math.min(limit, maxRows) };
      const page = (await call({ act: "endedPage", bounds })) as EndedPage;
      report(page);
      left -= page.texts.filter((text) => see(JSON.parse(text) as Delivery)).length;
      below = page.next;
    }
  }

  return {
    async append(entries) {
      try {
        await call({ act: "addEnded", rows: entries.map(({ row }) => row) });
      } catch (error) {
        const fault = toStoreError("write", file, error);
        // In a damaged database they are lost. If they were kept, their receivers would get them again and again.
        if (fault.operation !== "read") throw fault;
        onError(fault);
      }
    },
    find: (id) =>
      reading(async () => {
        const bytes = toIdBytes(id);
        const found = bytes && ((await call({ act: "ended", id: bytes })) as EndedText | null);
        if (found === undefined || found === null) return undefined;
        const { text, rest } = found;
        if (text === undefined || rest === undefined) {
          report({ damaged: [`the ended delivery ${id}`] });
          return undefined;
        }
        const delivery = JSON.parse(text) as Delivery;
        if (!isKept(delivery)) return undefined;
        return { ...delivery, ...(JSON.parse(rest) as { log: Attempt[]; body: string }) };
      }),
    search: (query, newest, isSkipped) =>
      reading(async () => {
        const see = (delivery: Delivery): boolean => {
          if (!isKept(delivery) || isSkipped(delivery.id)) return false;
          newest.see(delivery);
          return isAskedFor(delivery, query);
        };
        for (const values of lookUpsOf(query)) await searchValues(values, query, see);
      }),
    has: (event) => reading(async () => (await call({ act: "hasEnded", event })) === true),
    async forget(before) {
      forgotten = before;
      try {
        return (await call({ act: "forgetEnded", until: before })) === true;
      } catch (error) {
        throw toStoreError("write", file, error);
      }
    },
  };
}

/** @throws TypeError for an id without a time. */
export function toEndedEntry({ body, log, ...delivery }: DeliveryDetail): EndedEntry {
  const id = toIdBytes(delivery.id);
  if (id === undefined) throw new TypeError("not the id of a delivery");
  const { account, endpoint, event, type, state, endedAt = 0 } = delivery;
  const text = JSON.stringify(delivery);
  const rest = JSON.stringify({ log, body });
  return {
    row: { id, endedAt, account, endpoint, event, type, state, text, rest },
    length: text.length + rest.length,
  };
}

/** Returns what to look up in one of `endedIndexes`: the rest of the query narrows that down by a few rows. */
function lookUpsOf({
  account,
  endpoint,
  event,
  type,
  state,
}: DeliveryQuery): readonly EndedBounds["values"][] {
  if (event !== undefined) return [{ event }];
  const owner = endpoint !== undefined ? { endpoint } : account !== undefined ? { account } : {};
  if (type === undefined) return [state === undefined ? owner : { ...owner, state }];
  const states = state === undefined ? ["delivered", "failed"] : [state];
  return states.map((one) => ({ ...owner, type, state: one }));
}
