/** Time limits for clients, in milliseconds. Only tests change them. */
export interface Timeouts {
  /** Time to receive the head, from its first byte or from the connection. */
  headers: number;
  /** A body must receive `progressBytes` in each `progress` interval and end within `body`. */
  progress: number;
  progressBytes: number;
  body: number;
  /** Time to read one slice of an answer. */
  write: number;
  /** The time for which the rest of a refused body is discarded, so that the client can read the answer. */
  linger: number;
  /** Idle connections. Longer than the usual minute of load balancers, so that they close first. */
  keepAlive: number;
  /** Interval of keep-alive comments on a silent stream; proxies end silent connections. */
  ping: number;
  /** Interval of deadline checks. */
  sweep: number;
}

export const defaultTimeouts: Timeouts = {
  headers: 15_000,
  progress: 10_000,
  progressBytes: 16_384,
  body: 300_000,
  write: 30_000,
  linger: 5_000,
  keepAlive: 65_000,
  ping: 15_000,
  sweep: 500,
};
