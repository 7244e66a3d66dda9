import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { openReceiver, type Received, type Receiver } from "../services/webhooks/receivers.ts";

/** The events that one endpoint accepted: by the number in the event, how often each event arrived. */
export interface EventReceiver {
  receiver: Receiver;
  taken: Map<number, Map<string, number>>;
}

/**
 * Starts a receiver that takes `ms` per request and fails the first attempt of every `failEvery`th event. The number of an
 * event is the account limit in `account.updated`.
 */
export async function openEventReceiver(ms: number, failEvery = Infinity): Promise<EventReceiver> {
  const taken = new Map<number, Map<string, number>>();
  async function take(response: ServerResponse, { body, headers }: Received): Promise<void> {
    await sleep(ms);
    const { id, data } = JSON.parse(body) as { id: string; data: { account: { limit: number } } };
    const { limit } = data.account;
    if (limit % failEvery === 0 && headers["x-attempt"] === "1") {
      response.writeHead(500).end();
      return;
    }
    // Accepted even if the sender is killed before it reads the answer.
    const events = taken.get(limit) ?? new Map<string, number>();
    taken.set(limit, events.set(id, (events.get(id) ?? 0) + 1));
    response.end();
  }

  const receiver = await openReceiver((response, received) => void take(response, received));
  return { receiver, taken };
}

/** Counts repeated deliveries. */
export const duplicatesIn = ({ taken }: EventReceiver): number =>
  [...taken.values()].flatMap((events) => [...events.values()]).reduce((sum, times) => sum + times - 1, 0);

/** The numbers that did not arrive as exactly one event. */
export function wrongIn({ taken }: EventReceiver, accepted: readonly number[]): number[] {
  const lost = accepted.filter((number) => !taken.has(number));
  const twice = [...taken].filter(([, events]) => events.size !== 1).map(([number]) => number);
  return [...lost, ...twice];
}
