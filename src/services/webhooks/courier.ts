import type { Attempt } from "../storage/deliveries/delivery-queue.ts";
import type { EndpointRecord } from "../storage/records.ts";
import { type Seal, SealError } from "../storage/seal.ts";
import type { Send } from "./deliver.ts";
import { classifyAnswer } from "./outcome.ts";
import { toHeaders } from "./request.ts";
import type { Sender } from "./send.ts";

export interface CourierOptions {
  sender: Pick<Sender, "send">;
  seal: Pick<Seal, "open">;
  /** Epoch milliseconds. */
  now(): number;
}

/** Signs one event, sends it to its endpoint and classifies the answer. */
export function createCourier({ sender, seal, now }: CourierOptions): Send {
  return async (endpoint, { delivery, body }, number) => {
    const secrets = readSecrets(endpoint);
    if (secrets instanceof SealError) return { unable: secrets.message };
    const { url, method } = endpoint;
    const at = now();
    const headers = toHeaders({
      event: { id: delivery.event, type: delivery.type },
      delivery: delivery.id,
      attempt: number,
      body,
      ...secrets,
      now: at,
    });
    const sent = await sender.send({ url, method, headers, body });
    const verdict = classifyAnswer(sent, endpoint);
    const { durationMs, status, excerpt, error } = sent;
    const attempt: Attempt = {
      number,
      at,
      durationMs,
      outcome: verdict.outcome,
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error: error.code }),
      ...(excerpt !== undefined && { excerpt }),
    };
    return { attempt, verdict };
  };

  function readSecrets({
    id,
    secret,
    previousSecret,
    previousUntil,
  }: EndpointRecord): { secret: string; previousSecret?: string | undefined } | SealError {
    const current = open(secret, id);
    if (current instanceof SealError) return current;
    if (previousSecret === undefined || Date.parse(previousUntil ?? "") <= now()) return { secret: current };
    const previous = open(previousSecret, id);
    // The previous secret was sealed with a key that is gone: sign with the current one alone.
    return { secret: current, ...(typeof previous === "string" && { previousSecret: previous }) };
  }

  function open(kept: string, owner: string): string | SealError {
    try {
      return seal.open(kept, owner);
    } catch (error) {
      if (error instanceof SealError) return error;
      throw error;
    }
  }
}
