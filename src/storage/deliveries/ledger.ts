import type { Attempt, DeliveryDetail, DeliveryQuery, Once, StoredEvent } from "./delivery-queue.ts";
import type { Newest } from "./newest.ts";
import type { Arrival, Waiting } from "./waiting.ts";

/** A change of an endpoint's state. */
export type EndpointNote = { endpoint: string } & ({ heldUntil: number } | { isReset: true });

/**
 * The storage of a queue's changes. Each change is written, and `apply` is called once it is on the disk, in the order
 * of the writes. If it cannot be written, nothing is applied and StoreError is thrown.
 */
export interface Ledger<Body, Log> {
  add<Result>(
    at: number,
    event: StoredEvent,
    arrivals: readonly Arrival<Log>[],
    once: Once | undefined,
    apply: (body: Body) => Result,
  ): Promise<Result>;
  /** The delivery goes on waiting; `log` is the place of the attempt, if one was made. */
  postpone<Result>(
    at: number,
    delivery: Waiting<Body, Log>,
    next: { attempts: number; nextAt: number; attempt?: Attempt },
    apply: (log: readonly Log[]) => Result,
  ): Promise<Result>;
  /** `outcome` is that of the attempt that ended them, for the endpoint's health. */
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

  /** Returns undefined if the body is damaged. */
  readBody(body: Body): Promise<string | undefined>;
  readLog(delivery: { id: string; log: readonly Log[] }): Promise<readonly Attempt[]>;

  /** Finds an ended delivery. */
  find(id: string): Promise<DeliveryDetail | undefined>;
  /** Passes ended deliveries that match the query to `newest`, except those that `isSkipped` accepts. */
  search(query: DeliveryQuery, newest: Newest, isSkipped: (id: string) => boolean): Promise<void>;
  /** Reports whether deliveries of this event have ended. */
  hasEnded(event: string): boolean | Promise<boolean>;
  /** Forgets deliveries that ended before `before`. Returns false while more remains. */
  forget(before: number): Promise<boolean>;
  close(): Promise<void>;
}
