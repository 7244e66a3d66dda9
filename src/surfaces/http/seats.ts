import { ToolError } from "../../catalog/errors.ts";

/** How many may stay at the same time, all together and of one owner. */
export interface Seats {
  /** @throws ToolError overloaded */
  take(owner: string): Seat;
  taken(): number;
}

export interface Seat {
  /** To another owner, who may have too many. @throws ToolError overloaded, and the seat stays where it was. */
  move(owner: string): void;
  /** May be called again. */
  leave(): void;
}

export interface SeatsOptions {
  all: number;
  own: number;
  /** What is counted, in the words of the refusal: "streams". */
  what: string;
}

export function createSeats({ all, own, what }: SeatsOptions): Seats {
  const counts = new Map<string, number>();
  let taken = 0;

  function enter(owner: string): void {
    const count = counts.get(owner) ?? 0;
    if (count >= own) throw full(" of yours");
    counts.set(owner, count + 1);
  }

  function quit(owner: string): void {
    const count = counts.get(owner) ?? 0;
    if (count <= 1) counts.delete(owner);
    else counts.set(owner, count - 1);
  }

  const full = (whose: string): ToolError =>
    new ToolError("overloaded", `Too many ${what}${whose} are open. End one, then try again.`, {
      retryAfter: 5,
    });

  return {
    take(first) {
      let owner = first;
      let here = true;
      if (taken >= all) throw full("");
      enter(owner);
      taken += 1;
      return {
        move(to) {
          if (!here || to === owner) return;
          enter(to);
          quit(owner);
          owner = to;
        },
        leave() {
          if (!here) return;
          here = false;
          taken -= 1;
          quit(owner);
        },
      };
    },
    taken: () => taken,
  };
}
