/** A server that cannot be reached, or does not answer as penknife does: exit status 3. */
export class RemoteError extends Error {
  /** Whether the same may go well in a moment. */
  readonly passing: boolean;
  /** Whole seconds before which it will not. */
  readonly retryAfter: number | undefined;

  constructor(message: string, passing: boolean, retryAfter?: number) {
    super(message);
    this.name = "RemoteError";
    this.passing = passing;
    this.retryAfter = retryAfter;
  }
}
