/** How long a client may take; all in milliseconds. Only tests want others. */
export interface Timeouts {
  /** From the first byte (or the connection) to the end of the headers. */
  headers: number;
  /** A body must bring `progressBytes` in each span of `progress`, and end within `body`. */
  progress: number;
  progressBytes: number;
  body: number;
  /** Reading one slice of an answer. */
  write: number;
  /** How long the rest of a refused body is read and thrown away, so that the client sees the answer. */
  linger: number;
  /** An idle connection. Longer than the minute that load balancers keep theirs, so that they close first. */
  keepAlive: number;
  /** After which a stream that has nothing to say says so: proxies end connections that are silent. */
  ping: number;
  /** How often deadlines are looked at. */
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
