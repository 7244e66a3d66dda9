import type { Attempt, Claim, DeliveryQueue } from "../storage/deliveries/delivery-queue.ts";
import type { disabledReasons, EndpointRecord } from "../storage/records.ts";
import type { Settle } from "./dispatcher.ts";
import type { EndpointBook } from "./endpoint-book.ts";
import { type Schedule, toSettlement, type Verdict } from "./outcome.ts";

/** The result of a request, or a sentence for the operator that says why none can be made now. */
export type Sending = { attempt: Attempt; verdict: Verdict } | { unable: string };

/** Makes one request. Never rejects because of a receiver. */
export type Send = (endpoint: EndpointRecord, claim: Claim, number: number) => Promise<Sending>;

type DisabledReason = (typeof disabledReasons)[number];

export interface DeliverOptions {
  queue: Pick<DeliveryQueue, "fail" | "hold">;
  endpoints: Pick<EndpointBook, "look" | "disable">;
  send: Send;
  schedule: Schedule;
  now(): number;
  onAttempt(outcome: Attempt["outcome"]): void;
  /** Called, perhaps repeatedly, for an endpoint that is about to be disabled, with the start of its failures. */
  onDisable(endpoint: EndpointRecord, reason: DisabledReason, failingSince: number): Promise<void>;
  /** Called with a sentence for the operator that says why nothing is sent to an endpoint for now. */
  onHeld(why: string): void;
}

/**
 * Time of uninterrupted failure after which an endpoint is disabled, if a whole schedule of attempts has failed too:
 * two failures a week apart, with nothing to send in between, prove little.
 */
export const failingMs = 5 * 24 * 3_600_000;
/**
 * Milliseconds for which an endpoint that cannot be served is not claimed. Resuming or repairing it ends that at once;
 * a hold without an end, based on an outdated record, would outlast the repair.
 */
const holdMs = 30_000;

/** Makes one delivery: reads the endpoint, makes an attempt, and applies its outcome to the endpoint. */
export function createDeliver(options: DeliverOptions): (claim: Claim, settle: Settle) => Promise<void> {
  const { queue, endpoints, send, schedule, now, onAttempt, onDisable, onHeld } = options;

  return async (claim, settle) => {
    const { delivery } = claim;
    const endpoint = await look(delivery.endpoint);
    // The store has reported the fault.
    if (endpoint === "unreadable") return putOff(claim, settle);
    if (endpoint === undefined) return end(claim, settle, "The endpoint was removed.");
    if (endpoint.state === "disabled") return end(claim, settle, describe(endpoint));
    if (endpoint.state === "paused") return putOff(claim, settle);
    const sending = await send(endpoint, claim, delivery.attempts + 1);
    if ("unable" in sending) return putOff(claim, settle, sending.unable);
    const { attempt, verdict } = sending;
    const health = await settle(claim, toSettlement(delivery, attempt, verdict, schedule, now()));
    // The claim was lost: its new holder will find the same.
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
    // The event comes first: if the process ends before the record is written, the next failure repeats both. The other
    // way round, the event would be lost.
    await onDisable(endpoint, reason, failingSince);
    const disabled = await endpoints.disable(endpoint.id, reason);
    if (disabled !== undefined) await queue.fail(endpoint.id, describe(disabled));
  }
}

const describe = ({ disabledReason }: EndpointRecord): string =>
  disabledReason === "gone"
    ? "The endpoint is disabled: it answered 410 (Gone)."
    : "The endpoint is disabled: it has only failed for 5 days.";
