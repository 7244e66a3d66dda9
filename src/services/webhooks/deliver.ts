import type { Attempt, Claim, DeliveryQueue } from "../storage/deliveries/delivery-queue.ts";
import type { disabledReasons, EndpointRecord } from "../storage/records.ts";
import type { Settle } from "./dispatcher.ts";
import type { EndpointBook } from "./endpoint-book.ts";
import { type Schedule, toSettlement, type Verdict } from "./outcome.ts";

/** What a request came to, or why none can be made now: a sentence for the operator. */
export type Sending = { attempt: Attempt; verdict: Verdict } | { unable: string };

/** One request. Never rejects for what a receiver does. */
export type Send = (endpoint: EndpointRecord, claim: Claim, number: number) => Promise<Sending>;

type DisabledReason = (typeof disabledReasons)[number];

export interface DeliverOptions {
  queue: Pick<DeliveryQueue, "fail" | "hold">;
  endpoints: Pick<EndpointBook, "look" | "disable">;
  send: Send;
  schedule: Schedule;
  now(): number;
  onAttempt(outcome: Attempt["outcome"]): void;
  /** Told, perhaps more than once, of an endpoint that is about to be switched off: it has failed since then. */
  onDisable(endpoint: EndpointRecord, reason: DisabledReason, failingSince: number): Promise<void>;
  /** Told why nothing is sent to an endpoint for now: what the operator has to mend, a sentence. */
  onHeld(why: string): void;
}

/**
 * Of an endpoint that has done nothing but fail, as often as a whole schedule has attempts: two failures a week apart, with
 * nothing to send in between, say little.
 */
export const failingMs = 5 * 24 * 3_600_000;
/**
 * How long nothing is claimed of an endpoint that cannot be served now. Whoever resumes or mends it ends that at once; a
 * hold without an end, made by a look at the record from before, would outlast that.
 */
const holdMs = 30_000;

/** Makes one delivery: of a claim, what the endpoint is now, an attempt and what it means for the endpoint. */
export function createDeliver(options: DeliverOptions): (claim: Claim, settle: Settle) => Promise<void> {
  const { queue, endpoints, send, schedule, now, onAttempt, onDisable, onHeld } = options;

  return async (claim, settle) => {
    const { delivery } = claim;
    const endpoint = await look(delivery.endpoint);
    // The store has told of it.
    if (endpoint === "unreadable") return putOff(claim, settle);
    if (endpoint === undefined) return end(claim, settle, "The endpoint was removed.");
    if (endpoint.state === "disabled") return end(claim, settle, describe(endpoint));
    if (endpoint.state === "paused") return putOff(claim, settle);
    const sending = await send(endpoint, claim, delivery.attempts + 1);
    if ("unable" in sending) return putOff(claim, settle, sending.unable);
    const { attempt, verdict } = sending;
    const health = await settle(claim, toSettlement(delivery, attempt, verdict, schedule, now()));
    // The claim was lost: who has it now will find the same.
    if (health === undefined) return;
    onAttempt(verdict.outcome);
    const { failingSince = now() } = health;
    if (verdict.disable === true) await disable(endpoint, "gone", failingSince);
    else if (
      verdict.outcome !== "ok" &&
      health.failures >= schedule.attempts &&
      now() - failingSince >= failingMs
    )
      await disable(endpoint, "failing", failingSince);
  };

  async function look(id: string): Promise<EndpointRecord | "unreadable" | undefined> {
    try {
      return await endpoints.look(id);
    } catch {
      return "unreadable";
    }
  }

  async function end(claim: Claim, settle: Settle, reason: string): Promise<void> {
    await settle(claim, { state: "failed", reason });
    await queue.fail(claim.delivery.endpoint, reason);
  }

  async function putOff(claim: Claim, settle: Settle, why?: string): Promise<void> {
    const { endpoint } = claim.delivery;
    await queue.hold(endpoint, now() + holdMs);
    await settle(claim, { state: "waiting", nextAt: now() });
    if (why !== undefined) onHeld(why);
  }

  async function disable(
    endpoint: EndpointRecord,
    reason: DisabledReason,
    failingSince: number,
  ): Promise<void> {
    // A process that ends between the two has told what the next failure does. The other way round nobody would be told.
    await onDisable(endpoint, reason, failingSince);
    const disabled = await endpoints.disable(endpoint.id, reason);
    if (disabled !== undefined) await queue.fail(endpoint.id, describe(disabled));
  }
}

const describe = ({ disabledReason }: EndpointRecord): string =>
  disabledReason === "gone"
    ? "The endpoint is disabled: it answered 410 (Gone)."
    : "The endpoint is disabled: it has only failed for 5 days.";
