import type { Health } from "./delivery-queue.ts";
import { createHeap, type Heap, type Heaped } from "./heap.ts";

/** An endpoint and what is due for it. */
export interface Receiver<Item extends Heaped> extends Heaped, Health {
  readonly name: string;
  /** What is claimed by nobody, the longest due first. */
  readonly due: Heap<Item>;
  /** Claimed, and neither settled nor given up. */
  inFlight: number;
  heldUntil: number;
  lastFailureAt: number;
  /** From when on something may be claimed, as of the last change; Infinity for not until the next. */
  gate: number;
}

/** When an item is due, and which of two is first. */
export interface Order<Item> {
  dueAt(item: Item): number;
  isBefore(one: Item, other: Item): boolean;
}

export interface Turns<Item extends Heaped> {
  /** Made where it is not known. */
  of(name: string): Receiver<Item>;
  seen(name: string): Receiver<Item> | undefined;
  /** After each change of an endpoint. */
  refile(receiver: Receiver<Item>, at: number): void;
  /** Whose turn it is: one that has something to claim; it goes to the end of the line when it is filed again. */
  next(at: number): Receiver<Item> | undefined;
  /** When it is somebody's turn, epoch milliseconds; Infinity where nobody waits for a moment. */
  nextAt(): number;
  /** When a claim that is given up then could be claimed again. */
  gateAfter(receiver: Receiver<Item>, at: number): number;
  all(): Iterable<Receiver<Item>>;
  /** A clock was set back by so much, to `at`. */
  shift(ms: number, at: number): void;
}

/**
 * Whose turn it is. Endpoints that have something to claim stand in a line, of which each claims one and goes to its
 * end; those that have nothing yet lie in a heap by the moment in which they will. One dead endpoint with a hundred
 * thousand deliveries costs the others one place in the line.
 */
export function createTurns<Item extends Heaped>(
  order: Order<Item>,
  limits: { perEndpoint: number; circuit: { after: number; everyMs: number } },
): Turns<Item> {
  const { perEndpoint, circuit } = limits;
  const receivers = new Map<string, Receiver<Item>>();
  const line = new Set<Receiver<Item>>();
  const later = createHeap<Receiver<Item>>((one, other) => one.gate < other.gate);

  const isOpen = ({ failures }: Receiver<Item>): boolean => failures >= circuit.after;

  const gateAfter = (receiver: Receiver<Item>, at: number): number =>
    Math.max(at, receiver.heldUntil, isOpen(receiver) ? receiver.lastFailureAt + circuit.everyMs : 0);

  function gateOf(receiver: Receiver<Item>): number {
    const first = receiver.due.first();
    if (first === undefined || receiver.inFlight >= (isOpen(receiver) ? 1 : perEndpoint)) return Infinity;
    return gateAfter(receiver, order.dueAt(first));
  }

  const isForgettable = ({ due, inFlight, failures, heldUntil }: Receiver<Item>, at: number): boolean =>
    inFlight === 0 && failures === 0 && heldUntil <= at && due.first() === undefined;

  function refile(receiver: Receiver<Item>, at: number): void {
    later.remove(receiver);
    receiver.gate = gateOf(receiver);
    if (receiver.gate <= at) {
      line.add(receiver);
      return;
    }
    line.delete(receiver);
    if (receiver.gate < Infinity) later.push(receiver);
    else if (isForgettable(receiver, at)) receivers.delete(receiver.name);
  }

  return {
    of(name) {
      let receiver = receivers.get(name);
      if (receiver === undefined) {
        receiver = {
          name,
          due: createHeap<Item>(order.isBefore),
          inFlight: 0,
          heldUntil: 0,
          failures: 0,
          lastFailureAt: 0,
          gate: Infinity,
          slot: -1,
        };
        receivers.set(name, receiver);
      }
      return receiver;
    },
    seen: (name) => receivers.get(name),
    refile,
    next(at) {
      for (let first = later.first(); first !== undefined && first.gate <= at; first = later.first()) {
        later.remove(first);
        line.add(first);
      }
      const [receiver] = line;
      if (receiver !== undefined) line.delete(receiver);
      return receiver;
    },
    nextAt() {
      const [receiver] = line;
      return Math.min(receiver?.gate ?? Infinity, later.first()?.gate ?? Infinity);
    },
    gateAfter,
    all: () => receivers.values(),
    shift(ms, at) {
      // By the same for all: the order of the heaps stays as it is.
      for (const receiver of receivers.values()) {
        receiver.gate -= ms;
        receiver.heldUntil -= ms;
        receiver.lastFailureAt -= ms;
        if (receiver.failingSince !== undefined) receiver.failingSince = Math.min(receiver.failingSince, at);
      }
    },
  };
}

/** Claims up to `count` items, one of each endpoint in turn, and leaves those that `mayClaim` refuses in the line. */
export function claimInTurn<Item extends Heaped>(
  turns: Turns<Item>,
  at: number,
  count: number,
  mayClaim: (item: Item) => boolean,
  claim: (item: Item) => void,
): void {
  const refused = new Set<Receiver<Item>>();
  // An account may have any number of endpoints. One call must not look at all of them; the next begins where it ended.
  const mostRefused = count + 100;
  for (let claimed = 0; claimed < count && refused.size < mostRefused;) {
    const receiver = turns.next(at);
    const item = receiver?.due.first();
    if (receiver === undefined || item === undefined) return;
    if (mayClaim(item)) {
      claim(item);
      claimed++;
      continue;
    }
    turns.refile(receiver, at);
    if (refused.has(receiver)) return;
    refused.add(receiver);
  }
}
