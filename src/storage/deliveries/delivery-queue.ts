import type { Runtime } from "../../runtime.ts";
/** An event as it is sent: the same bytes to every endpoint and in every attempt. */
export interface StoredEvent {
  /** `evt_` and a UUID of version 7. */
  id: string;
  type: string;
  account: string;
  /** JSON, signed and sent unchanged. */
  body: string;
}

/** The name of an event that is published once: until `until`, a second event of this name is not added. */
export interface Once {
  name: string;
  /** Epoch milliseconds. */
  until: number;
}

export type DeliveryState = "waiting" | "delivered" | "failed";

/** One event for one endpoint. Times are epoch milliseconds. */
export interface Delivery {
  /** `dlv_` and a UUID of version 7. */
  id: string;
  event: string;
  type: string;
  account: string;
  /** `we_…` */
  endpoint: string;
  state: DeliveryState;
  /** Attempts since the delivery was added or last redelivered. */
  attempts: number;
  createdAt: number;
  /** Start of the wait: `createdAt`, or the time of the last redelivery. */
  since: number;
  /** When the next attempt is due; set while the delivery waits. */
  nextAt?: number;
  endedAt?: number;
  /** A sentence that says why the delivery failed. */
  reason?: string;
}

export interface Attempt {
  /** Counts from 1. */
  number: number;
  /** Start of the attempt. */
  at: number;
  durationMs: number;
  /** `ok` for a 2xx, `retry` for a fault that may pass, `refused` for one that will not. */
  outcome: "ok" | "retry" | "refused";
  /** Status of the answer, if there was one. */
  status?: number;
  /** The kind of failure: a word such as `timeout`, `connection_refused`, `address_blocked`. */
  error?: string;
  /** The beginning of the answer's body. */
  excerpt?: string;
}

export interface DeliveryDetail extends Delivery {
  /** Oldest first, including attempts before a redelivery. */
  log: readonly Attempt[];
  body: string;
}

/** A delivery that only this process may attempt until the lease ends. */
export interface Claim {
  delivery: Delivery;
  body: string;
  /** Grows with each claim of the delivery: a claim with an older fence settles nothing. */
  fence: number;
}

export interface ClaimOptions {
  /** Most claims to return. */
  count: number;
  /** Milliseconds after which another process may claim a delivery that is not settled. */
  leaseMs: number;
  /** Bounds the deliveries per account; without it only `count` bounds them. */
  accounts?: AccountShares;
}

export interface AccountShares {
  /** Most concurrent deliveries of one account. */
  max: number;
  /** Deliveries in progress at the caller, by account. */
  running: ReadonlyMap<string, number>;
}

/** The result of a claim. `waiting` without an attempt returns the claim unused. */
export interface Settlement {
  /** Undefined if no attempt was made. */
  attempt?: Attempt;
  state: DeliveryState;
  /** For `waiting`: when the next attempt is due. */
  nextAt?: number;
  /** For `failed`. */
  reason?: string;
}

/** The health of an endpoint; decides about its circuit and about disabling it. */
export interface Health {
  /** Consecutive failed attempts. */
  failures: number;
  /** Time of the first of these failures; undefined if there is none. */
  failingSince?: number;
}

export interface DeliveryQuery {
  account?: string;
  endpoint?: string;
  event?: string;
  type?: string;
  state?: DeliveryState;
  /** Earliest time of creation, in epoch milliseconds. */
  since?: number;
  /** Only deliveries that come after this one, newest first: the last of an earlier page. */
  after?: Pick<Delivery, "id" | "createdAt">;
  /** Most deliveries to return, newest first. */
  limit: number;
}

export interface QueueStats {
  /** Deliveries that wait or are being attempted. */
  depth: number;
  /** When the oldest of them was added or last redelivered. */
  oldestAt?: number;
}

/**
 * Deliveries, from accepting an event until 30 days after they have ended. Nothing that was added is lost, whatever
 * ends the process; a delivery may be attempted twice, with the same event.
 *
 * Endpoints take turns. At most `perEndpoint` deliveries of one endpoint are claimed at once; after `circuit.after`
 * consecutive failures at most one, `circuit.everyMs` after the last, until one succeeds: the deliveries behind it use
 * up none of their attempts meanwhile. All nodes share this state.
 *
 * Every method throws StoreError if the store cannot be used.
 */
export interface DeliveryQueue {
  /**
   * Adds deliveries that are due at once, all or none; resolves when they are on the disk. Returns none if `once` or
   * the event was added before.
   */
  add(event: StoredEvent, endpoints: readonly string[], once?: Once, urgent?: boolean): Promise<Delivery[]>;
  /** Claims due deliveries: urgent ones first, then the longest due of each endpoint in turn. */
  claim(options: ClaimOptions): Promise<Claim[]>;
  /**
   * Resolves when the result is on the disk. Returns undefined if the claim was lost: its lease ended and another
   * process claimed the delivery, or the delivery is gone.
   */
  settle(claim: Claim, result: Settlement): Promise<Health | undefined>;
  get(id: string): Promise<DeliveryDetail | undefined>;
  /** Newest first. */
  list(query: DeliveryQuery): Promise<Delivery[]>;
  /**
   * Restarts an ended delivery, due at once; makes a waiting one due at once. Returns undefined if there is no such
   * delivery.
   */
  redeliver(id: string): Promise<Delivery | undefined>;
  /** Prevents claims of this endpoint before `until` (Infinity: until the next call; 0: releases it). */
  hold(endpoint: string, until: number): Promise<void>;
  health(endpoint: string): Promise<Health>;
  /** Resets the failures of an endpoint that was repaired, and so closes its circuit. */
  resetHealth(endpoint: string): Promise<void>;
  /** Ends everything that waits for an endpoint as `failed`. Returns how many deliveries that were. */
  fail(endpoint: string, reason: string): Promise<number>;
  stats(): Promise<QueueStats>;
  /**
   * Returns when the next claim is possible, in epoch milliseconds, or since when; undefined if nothing waits or all of
   * it is held.
   */
  nextAt(): Promise<number | undefined>;
  /**
   * Calls `listener` when new deliveries may be claimable, whichever node added them. Returns a function that ends
   * this.
   */
  onWake(listener: () => void): () => void;
  /**
   * Fails deliveries that have waited longer than `lifetimeMs` (with this reason), and removes those that ended
   * `keptMs` ago and expired `once` names. Each call does bounded work; returns false while more remains.
   */
  prune(options: { lifetimeMs: number; keptMs: number; reason: string }): Promise<boolean>;
  close(): Promise<void>;
}

export interface QueueOptions {
  runtime: Runtime;
  perEndpoint: number;
  circuit: { after: number; everyMs: number };
}
