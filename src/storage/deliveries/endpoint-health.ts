import type { Attempt, Health } from "./delivery-queue.ts";
import type { Heaped } from "./heap.ts";
import type { Receiver, Turns } from "./turns.ts";

/** Counts the failures of endpoints, and remembers until when each is held. */
export interface EndpointHealth<Item extends Heaped> {
  /** Counts an attempt of this endpoint. */
  count(endpoint: string, attempt: Pick<Attempt, "at" | "outcome">, at: number): void;
  health(endpoint: string): Health;
  /** Restores the health of an endpoint, replacing what is known. */
  mend(endpoint: string, health: Health & { lastFailureAt: number }, at: number): void;
  hold(endpoint: string, until: number, at: number): void;
  /** Endpoints with failures, and held ones. */
  troubled(): Iterable<Receiver<Item>>;
}

export function createEndpointHealth<Item extends Heaped>(
  turns: Turns<Item>,
  now: () => number,
): EndpointHealth<Item> {
  return {
    count(endpoint, attempt, at) {
      const receiver = turns.of(endpoint);
      if (attempt.outcome === "ok") {
        receiver.failures = 0;
        delete receiver.failingSince;
      } else {
        receiver.failures++;
        receiver.failingSince ??= attempt.at;
        receiver.lastFailureAt = at;
      }
      turns.refile(receiver, at);
    },
    health(endpoint) {
      const { failures = 0, failingSince } = turns.seen(endpoint) ?? {};
      return { failures, ...(failingSince !== undefined && { failingSince }) };
    },
    mend(endpoint, { failures, failingSince, lastFailureAt }, at) {
      const receiver = turns.of(endpoint);
      receiver.failures = failures;
      if (failingSince === undefined) delete receiver.failingSince;
      else receiver.failingSince = failingSince;
      receiver.lastFailureAt = lastFailureAt;
      turns.refile(receiver, at);
    },
    hold(endpoint, until, at) {
      const receiver = turns.of(endpoint);
      receiver.heldUntil = until;
      turns.refile(receiver, at);
    },
    *troubled() {
      for (const receiver of turns.all())
        if (receiver.failures > 0 || receiver.heldUntil > now()) yield receiver;
    },
  };
}
