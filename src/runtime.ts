/** Time, randomness and the reporting of bugs: one object, which `main.ts` makes of the process. */
export interface Runtime {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** Returns as many random bytes. */
  random(size: number): Uint8Array;
  /** Reports a bug of penknife, with its stack. */
  report(fault: unknown): void;
}
