import { ToolError } from "../catalog/errors.ts";
import { createKeyedMutex } from "../lib/keyed-mutex.ts";

/**
 * The right to change what spans the records of an account. Only its holder has it, until it ends: a write that names a
 * lease is refused afterwards, however late its sender finds out.
 */
export interface Lease {
  readonly account: string;
  /** Fencing token: each holder of an account's lease has a higher one than the holders before. */
  readonly token: number;
  /** The end, in epoch milliseconds of the clock of the store; Infinity in a store that one process has for itself. */
  readonly until: number;
}

/**
 * Runs work that holds the lease of an account. Other holders wait, in this process and in others. Not reentrant: pass
 * the lease to what is called.
 * @throws ToolError overloaded if the lease is not free in time, or was lost before the work was done.
 */
export type Hold = <T>(account: string, work: (lease: Lease) => Promise<T>) => Promise<T>;

/** For a store that one process has for itself. */
export function createLocalHold(): Hold {
  const inTurn = createKeyedMutex();
  let tokens = 0;
  return (account, work) =>
    inTurn(account, async () => {
      const lease = { account, token: ++tokens, until: Infinity };
      try {
        return await work(lease);
      } finally {
        lease.until = -Infinity;
      }
    });
}

/** The refusal of a change that could not be made exclusively. */
export const busy = (what: string): ToolError =>
  new ToolError("overloaded", `${what} is being changed by others at the same time. Try again.`, {
    retryAfter: 1,
  });

/** The refusal of a write whose lease has ended. */
export const leaseLost = ({ account }: Lease): ToolError =>
  new ToolError(
    "overloaded",
    `This took so long that others may have changed the account ${account} meanwhile, so it was stopped before its end. Look at the account, then try again.`,
    { retryAfter: 1 },
  );
