/** An event as it is sent: the same bytes to every endpoint and at every attempt. */
export interface StoredEvent {
  /** `evt_` and a UUID of version 7. */
  id: string;
  type: string;
  account: string;
  /** JSON, signed and sent as it is. */
  body: string;
}

/** Something that happens once until then, whoever sees it: a second event of this name is not added. */
export interface Once {
  name: string;
  /** Epoch milliseconds. */
  until: number;
}

export type DeliveryState = "waiting" | "delivered" | "failed";

/** One event on its way to one endpoint. Times are epoch milliseconds. */
export interface Delivery {
  /** `dlv_` and a UUID of version 7. */
  id: string;
  event: string;
  type: string;
  account: string;
  /** `we_…` */
  endpoint: string;
  state: DeliveryState;
  /** That were made since it was added or last redelivered. */
  attempts: number;
  createdAt: number;
  /** Since when it waits: `createdAt`, or when it was last redelivered. */
  since: number;
  /** When the next attempt is due, of one that waits. */
  nextAt?: number;
  endedAt?: number;
  /** Why it has failed, a sentence. */
  reason?: string;
}

export interface Attempt {
  /** From 1. */
  number: number;
  /** When it began. */
  at: number;
  durationMs: number;
  /** `ok` for a 2xx, `retry` for what may come right, `refused` for what will not. */
  outcome: "ok" | "retry" | "refused";
  /** Of the answer, where there was one. */
  status?: number;
  /** What went wrong, a word such as `timeout`, `connection_refused`, `address_blocked`. */
  error?: string;
  /** The beginning of the answer's body. */
  excerpt?: string;
}

export interface DeliveryDetail extends Delivery {
  /** The oldest first, also those from before it was redelivered. */
  log: readonly Attempt[];
  body: string;
}

/** A delivery that this process may make until the lease is over, and nobody else. */
export interface Claim {
  delivery: Delivery;
  body: string;
  /** Grows with each claim of this delivery: who was too slow has an old one, and settles nothing. */
  fence: number;
}

export interface ClaimOptions {
  /** At most. */
  count: number;
  /** Milliseconds after which somebody else may claim what was not settled. */
  leaseMs: number;
  /** Bounds the deliveries of one account; without it only `count` bounds them. */
  accounts?: AccountShares;
}

export interface AccountShares {
  /** Deliveries of one account at once. */
  most: number;
  /** Deliveries that the caller makes already, by account. */
  running: ReadonlyMap<string, number>;
}

/** What became of a claim. `waiting` without an attempt gives it back unused. */
export interface Settlement {
  /** Undefined where none was made. */
  attempt?: Attempt;
  state: DeliveryState;
  /** Of `waiting`: when it is due again. */
  nextAt?: number;
  /** Of `failed`. */
  reason?: string;
}

/** How an endpoint fares: what the circuit and the switching off of dead endpoints go by. */
export interface Health {
  /** Attempts that failed, in a row. */
  failures: number;
  /** When the first of these was; undefined while there is none. */
  failingSince?: number;
}

export interface DeliveryQuery {
  account?: string;
  endpoint?: string;
  event?: string;
  type?: string;
  state?: DeliveryState;
  /** Added since, epoch milliseconds. */
  since?: number;
  /** The newest so many. */
  limit: number;
}

export interface QueueStats {
  /** Deliveries that wait or are being made. */
  depth: number;
  /** When the oldest of them was added, or last redelivered. */
  oldestAt?: number;
}

/**
 * Deliveries from the moment in which an event is accepted until 30 days after they have ended. Nothing that was added
 * is lost, whatever ends the process at whatever point; a delivery may be made twice, with the same event.
 *
 * Endpoints take turns. Of one endpoint no more than `perEndpoint` are claimed at once; after `circuit.after` failed
 * attempts in a row no more than one, `circuit.everyMs` after the last, until one succeeds: what waits behind it uses up
 * none of its attempts meanwhile. All of this is shared by every node.
 *
 * Everything throws StoreError where the store cannot be used.
 */
export interface DeliveryQueue {
  /** Durable when it resolves, all or nothing, due at once. Returns none where `once` says that it was, or the event is known. */
  add(event: StoredEvent, endpoints: readonly string[], once?: Once, urgent?: boolean): Promise<Delivery[]>;
  /** Claims deliveries that are due: urgent ones, then the longest due of each endpoint in turn. */
  claim(options: ClaimOptions): Promise<Claim[]>;
  /**
   * Durable when it resolves. Undefined where the claim was lost: its lease was over and somebody else has it, or the
   * delivery is gone.
   */
  settle(claim: Claim, result: Settlement): Promise<Health | undefined>;
  get(id: string): Promise<DeliveryDetail | undefined>;
  /** The newest first. */
  list(query: DeliveryQuery): Promise<Delivery[]>;
  /** Begins an ended delivery anew, due at once; one that waits becomes due at once. Undefined where there is none. */
  redeliver(id: string): Promise<Delivery | undefined>;
  /** Nothing of this endpoint is claimed before `until` (Infinity: until told otherwise; 0: now). */
  hold(endpoint: string, until: number): Promise<void>;
  health(endpoint: string): Promise<Health>;
  /** Forgets the failures of an endpoint that was mended: its circuit is closed. */
  resetHealth(endpoint: string): Promise<void>;
  /** Ends everything that waits for an endpoint as `failed`; returns how many. */
  fail(endpoint: string, reason: string): Promise<number>;
  stats(): Promise<QueueStats>;
  /**
   * When something may be claimed next, epoch milliseconds, or since when it may be; undefined where nothing waits or all of
   * it is held.
   */
  nextAt(): Promise<number | undefined>;
  /** Called when there may be something to claim that was not there before, by whomever it was added. Returns how to end that. */
  onWake(listener: () => void): () => void;
  /**
   * Fails what has waited for longer than `lifetimeMs` (with this reason), forgets what has ended `keptMs` ago, and all of
   * `once` that is over. Bounded work for each call; false while there is more to do.
   */
  prune(options: { lifetimeMs: number; keptMs: number; reason: string }): Promise<boolean>;
  close(): Promise<void>;
}

export interface QueueOptions {
  /** Epoch milliseconds. */
  now(): number;
  random(size: number): Uint8Array;
  perEndpoint: number;
  circuit: { after: number; everyMs: number };
}
