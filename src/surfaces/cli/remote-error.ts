/** A server that cannot be reached, or is not a penknife server: exit status 3. */
export class RemoteError extends Error {
  /** Whether a retry may succeed. */
  readonly transient: boolean;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;

  constructor(message: string, transient: boolean, retryAfter?: number) {
    super(message);
    this.name = "RemoteError";
    this.transient = transient;
    this.retryAfter = retryAfter;
  }
}
