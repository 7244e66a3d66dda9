import { ToolError } from "../../catalog/errors.ts";

/** Limits long-lived connections, such as event streams, in total and for each owner. */
export interface ConnectionLimiter {
  /** @throws ToolError overloaded */
  acquire(owner: string): ConnectionSlot;
  open(): number;
}

export interface ConnectionSlot {
  /** Counts the connection for another owner. @throws ToolError overloaded; the owner then stays the same. */
  move(owner: string): void;
  /** May be called more than once. */
  release(): void;
}

export interface ConnectionLimiterOptions {
  all: number;
  own: number;
  /** The plural noun of the error message, such as "streams". */
  what: string;
}

export function createConnectionLimiter({ all, own, what }: ConnectionLimiterOptions): ConnectionLimiter {
  const counts = new Map<string, number>();
  let open = 0;

  function add(owner: string): void {
    const count = counts.get(owner) ?? 0;
    if (count >= own) throw full(" of yours");
    counts.set(owner, count + 1);
  }

  function remove(owner: string): void {
    const count = counts.get(owner) ?? 0;
    if (count <= 1) counts.delete(owner);
    else counts.set(owner, count - 1);
  }

  const full = (whose: string): ToolError =>
    new ToolError("overloaded", `Too many ${what}${whose} are open. Close one, then try again.`, {
      retryAfter: 5,
    });

  return {
    acquire(first) {
      let owner = first;
      let isHeld = true;
      if (open >= all) throw full("");
      add(owner);
      open += 1;
      return {
        move(to) {
          if (!isHeld || to === owner) return;
          add(to);
          remove(owner);
          owner = to;
        },
        release() {
          if (!isHeld) return;
          isHeld = false;
          open -= 1;
          remove(owner);
        },
      };
    },
    open: () => open,
  };
}
