import { defined } from "../../lib/defined.ts";
import type { Attempt, Claim, DeliveryQueue } from "../../storage/deliveries/delivery-queue.ts";
import type { disabledReasons, EndpointRecord } from "../../storage/records.ts";
import { type Seal, SealError } from "../../storage/seal.ts";
import type { Settle } from "./dispatcher.ts";
import type { EndpointBook } from "./endpoint-book.ts";
import { classifyAnswer, type Schedule, toSettlement } from "./outcome.ts";
import { toHeaders } from "./request.ts";
import type { Sender } from "./send.ts";
import type { Runtime } from "../../runtime.ts";

type DisabledReason = (typeof disabledReasons)[number];

export interface DeliverOptions {
  queue: Pick<DeliveryQueue, "fail" | "hold">;
  endpoints: Pick<EndpointBook, "look" | "disable">;
  sender: Pick<Sender, "send">;
  seal: Pick<Seal, "open">;
  schedule: Schedule;
  runtime: Runtime;
  onAttempt(outcome: Attempt["outcome"]): void;
  /** Called before an endpoint is disabled, possibly more than once, with the time of the first of its failures. */
  onDisable(endpoint: EndpointRecord, reason: DisabledReason, failingSince: number): Promise<void>;
  /** Called with the reason, a sentence for the operator, when deliveries to an endpoint are put off. */
  onHeld(why: string): void;
}

/**
 * An endpoint is disabled after failing for this long, and at least as often as a full schedule has attempts: two
 * failures a week apart, with nothing sent in between, say little.
 */
const failingMs = 5 * 24 * 3_600_000;
/**
 * The pause in claims for an endpoint that cannot be served. Resuming or changing the endpoint ends the hold; one
 * without an end, set from a record that is already out of date, would outlast that.
 */
const holdMs = 30_000;

/** Returns a function that makes one attempt to deliver a claim, settles it, and disables an endpoint that is gone. */
export function createDeliver(options: DeliverOptions): (claim: Claim, settle: Settle) => Promise<void> {
  const { queue, endpoints, sender, seal, schedule, runtime, onAttempt, onDisable, onHeld } = options;

  return async (claim, settle) => {
    const { delivery, body } = claim;
    const endpoint = await look(delivery.endpoint);
    // The store has reported the error.
    if (endpoint === "unreadable") return putOff(claim, settle);
    if (endpoint === undefined) return end(claim, settle, "The endpoint was removed.");
    if (endpoint.state === "disabled") return end(claim, settle, describe(endpoint));
    if (endpoint.state === "paused") return putOff(claim, settle);
    const secrets = readSecrets(endpoint);
    if (secrets instanceof SealError) return putOff(claim, settle, secrets.message);
    const { url, method } = endpoint;
    const number = delivery.attempts + 1;
    const at = runtime.now();
    const event = { id: delivery.event, type: delivery.type };
    const headers = toHeaders({ event, delivery: delivery.id, attempt: number, body, ...secrets, now: at });
    const sent = await sender.send({ url, method, headers, body });
    const verdict = classifyAnswer(sent, endpoint);
    const { durationMs, status, excerpt, error } = sent;
    const attempt: Attempt = {
      number,
      at,
      durationMs,
      outcome: verdict.outcome,
      ...defined({ status, error: error?.code, excerpt }),
    };
    const health = await settle(claim, toSettlement(delivery, attempt, verdict, schedule, runtime.now()));
    // The claim was lost; its new holder will find the same.
    if (health === undefined) return;
    onAttempt(verdict.outcome);
    const { failingSince = runtime.now() } = health;
    if (verdict.disable === true) await disable(endpoint, "gone", failingSince);
    else if (
      verdict.outcome !== "ok" &&
      health.failures >= schedule.attempts &&
      runtime.now() - failingSince >= failingMs
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

  function readSecrets({
    id,
    secret,
    previousSecret,
    previousUntil,
  }: EndpointRecord): { secret: string; previousSecret?: string | undefined } | SealError {
    const current = open(secret, id);
    if (current instanceof SealError) return current;
    if (previousSecret === undefined || Date.parse(previousUntil ?? "") <= runtime.now())
      return { secret: current };
    const previous = open(previousSecret, id);
    // If the encryption key of the previous secret is gone, the current secret is enough.
    return { secret: current, ...(typeof previous === "string" && { previousSecret: previous }) };
  }

  function open(sealed: string, owner: string): string | SealError {
    try {
      return seal.open(sealed, owner);
    } catch (error) {
      if (error instanceof SealError) return error;
      throw error;
    }
  }

  /** Fails the delivery, and all others that wait for its endpoint. */
  async function end(claim: Claim, settle: Settle, reason: string): Promise<void> {
    await settle(claim, { state: "failed", reason });
    await queue.fail(claim.delivery.endpoint, reason);
  }

  async function putOff(claim: Claim, settle: Settle, why?: string): Promise<void> {
    const { endpoint } = claim.delivery;
    await queue.hold(endpoint, runtime.now() + holdMs);
    await settle(claim, { state: "waiting", nextAt: runtime.now() });
    if (why !== undefined) onHeld(why);
  }

  async function disable(
    endpoint: EndpointRecord,
    reason: DisabledReason,
    failingSince: number,
  ): Promise<void> {
    // In this order: a crash between the two repeats the event with the next failure; the other way round loses it.
    await onDisable(endpoint, reason, failingSince);
    const disabled = await endpoints.disable(endpoint.id, reason);
    if (disabled !== undefined) await queue.fail(endpoint.id, describe(disabled));
  }
}

const describe = ({ disabledReason }: EndpointRecord): string =>
  disabledReason === "gone"
    ? "The endpoint is disabled: it answered 410 (Gone)."
    : "The endpoint is disabled: every attempt failed for 5 days.";
