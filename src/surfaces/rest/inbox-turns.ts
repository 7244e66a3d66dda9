/** A place in the queue. Call `leave` in any case, whether its turn has come or not. */
export interface Turn {
  readonly come: Promise<void>;
  leave(): void;
}

/** Limits concurrent large message responses per account. */
export interface Turns {
  ask(account: string): Turn;
}

interface Waiting {
  readonly account: string;
  begin(): void;
}

/**
 * A message has up to a megabyte, and in JSON up to six, so many concurrent requests would need gigabytes. First come,
 * first served; an account over its own limit delays only itself.
 */
export function createTurns(max: { all: number; account: number }): Turns {
  /** Waiting calls, the oldest first. */
  const waiting = new Set<Waiting>();
  const shares = new Map<string, number>();
  let busy = 0;

  function beginNext(): void {
    for (const one of waiting) {
      if (busy >= max.all) return;
      const share = shares.get(one.account) ?? 0;
      if (share >= max.account) continue;
      waiting.delete(one);
      shares.set(one.account, share + 1);
      busy += 1;
      one.begin();
    }
  }

  function giveBack(account: string): void {
    busy -= 1;
    const left = (shares.get(account) ?? 1) - 1;
    if (left > 0) shares.set(account, left);
    else shares.delete(account);
    beginNext();
  }

  return {
    ask(account) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const mine: Waiting = { account, begin: resolve };
      let left = false;
      waiting.add(mine);
      beginNext();
      return {
        come: promise,
        leave() {
          if (left) return;
          left = true;
          if (!waiting.delete(mine)) giveBack(account);
        },
      };
    },
  };
}
