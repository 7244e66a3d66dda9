import type { Health } from "./delivery-queue.ts";
import { createHeap, type Heap, type Heaped } from "./heap.ts";

/** An endpoint and its deliveries. */
export interface Receiver<Item extends Heaped> extends Heaped, Health {
  readonly name: string;
  /** Deliveries that are not claimed, the longest due first. */
  readonly due: Heap<Item>;
  /** Number of claims that are neither settled nor expired. */
  inFlight: number;
  heldUntil: number;
  lastFailureAt: number;
  /** When the next claim is possible, as of the last change; Infinity for not before the next change. */
  gate: number;
}

/** The order of items: when one is due, and which of two comes first. */
export interface Order<Item> {
  dueAt(item: Item): number;
  isBefore(one: Item, other: Item): boolean;
}

export interface Turns<Item extends Heaped> {
  /** Returns an endpoint, and makes it if it is unknown. */
  of(name: string): Receiver<Item>;
  seen(name: string): Receiver<Item> | undefined;
  /** Files an endpoint again; call it after each change. */
  refile(receiver: Receiver<Item>, at: number): void;
  /**
   * Returns the endpoint whose turn it is, which has something to claim; filing it again moves it to the end of the
   * line.
   */
  next(at: number): Receiver<Item> | undefined;
  /** When the next endpoint may get a turn, in epoch milliseconds; Infinity if none waits for a moment in time. */
  nextAt(): number;
  /** When a claim that expires at `at` may be claimed again. */
  gateAfter(receiver: Receiver<Item>, at: number): number;
  all(): Iterable<Receiver<Item>>;
  /** Applies a clock that was set back by `ms`, to `at`. */
  shift(ms: number, at: number): void;
}

/**
 * The turns of endpoints. Endpoints with something to claim stand in a line: each claims one delivery and goes to the
 * end. Endpoints without wait in a heap, ordered by the moment at which they will have something. One dead endpoint
 * with a hundred thousand deliveries costs the others one place in the line.
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
      // The same shift for all keeps the order of the heaps.
      for (const receiver of receivers.values()) {
        receiver.gate -= ms;
        receiver.heldUntil -= ms;
        receiver.lastFailureAt -= ms;
        if (receiver.failingSince !== undefined) receiver.failingSince = Math.min(receiver.failingSince, at);
      }
    },
  };
}

/** Claims up to `count` items, one of each endpoint in turn; items that `mayClaim` refuses stay in the line. */
export function claimInTurn<Item extends Heaped>(
  turns: Turns<Item>,
  at: number,
  count: number,
  mayClaim: (item: Item) => boolean,
  claim: (item: Item) => void,
): void {
  const refused = new Set<Receiver<Item>>();
  // An account may have any number of endpoints. One call must not visit all of them; the next begins where it ended.
  const maxRefused = count + 100;
  for (let claimed = 0; claimed < count && refused.size < maxRefused;) {
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
