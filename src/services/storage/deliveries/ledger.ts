import type { Attempt, DeliveryDetail, DeliveryQuery, Once, StoredEvent } from "./delivery-queue.ts";
import type { Newest } from "./newest.ts";
import type { Arrival, Waiting } from "./waiting.ts";

/** What may be noted of an endpoint. */
export type EndpointNote = { endpoint: string } & ({ heldUntil: number } | { isReset: true });

/**
 * Where what a queue does is kept. Each act is written down, and once that is durable `apply` is called, before that of
 * any act that was written after it; where it cannot be written nothing is applied, and it throws StoreError.
 */
export interface Ledger<Body, Log> {
  add<Result>(
    at: number,
    event: StoredEvent,
    arrivals: readonly Arrival<Log>[],
    once: Once | undefined,
    apply: (body: Body) => Result,
  ): Promise<Result>;
  /** It waits on; `log` is where the attempt is, if one was made. */
  postpone<Result>(
    at: number,
    delivery: Waiting<Body, Log>,
    next: { attempts: number; nextAt: number; attempt?: Attempt },
    apply: (log: readonly Log[]) => Result,
  ): Promise<Result>;
  /** `outcome` of the attempt that ended them, for the endpoint's health. */
  end<Result>(
    at: number,
    ended: readonly DeliveryDetail[],
    attempt: Attempt | undefined,
    apply: () => Result,
  ): Promise<Result>;
  revive<Result>(
    at: number,
    delivery: DeliveryDetail,
    apply: (body: Body, log: readonly Log[]) => Result,
  ): Promise<Result>;
  note<Result>(at: number, note: EndpointNote, apply: () => Result): Promise<Result>;

  /** Undefined where it was damaged. */
  readBody(body: Body): Promise<string | undefined>;
  readLog(delivery: { id: string; log: readonly Log[] }): Promise<readonly Attempt[]>;

  /** One that has ended. */
  find(id: string): Promise<DeliveryDetail | undefined>;
  /** Shows what has ended and a query may ask for, but for those that are skipped. */
  search(query: DeliveryQuery, newest: Newest, isSkipped: (id: string) => boolean): Promise<void>;
  /** Whether deliveries of this event have ended. */
  hasEnded(event: string): boolean | Promise<boolean>;
  /** Forgets what ended before; false while there is more to do. */
  forget(before: number): Promise<boolean>;
  close(): Promise<void>;
}
