import { expect, it, onTestFinished } from "vitest";
import { hour, second } from "../../../unit/services/webhooks/clock.ts";
import { openReceiver } from "./receivers.ts";
import { openSending } from "./sending.ts";

it.each(["memory", "file"] as const)(
  "makes all twelve attempts over real sockets until the delivery has failed, and then the redelivery (%s)",
  async (driver) => {
    const { clock, queue, outbox, start, publish, ended, ...seen } = await openSending({ driver });
    let failing = true;
    const times: number[] = [];
    const receiver = await openReceiver((response) => {
      times.push(clock.now());
      response.writeHead(failing ? 503 : 204).end(failing ? "later" : undefined);
    });
    onTestFinished(() => receiver.close());
    const { record } = await outbox.endpoints.add({ account: "acme", url: `${receiver.url}/hook` });
    start();
    const accepted = clock.now();
    const { event, id } = await publish(record.id);

    const failed = await ended(id);
    expect(failed?.state).toBe("failed");
    expect(failed?.reason).toBe("None of 12 attempts succeeded. Attempt 12 got status 503.");
    expect(failed?.log.map(({ number, status, excerpt }) => [number, status, excerpt])).toEqual(
      Array.from({ length: 12 }, (_, index) => [index + 1, 503, "later"]),
    );
    // Each delay is that of the table, up to a fifth longer or shorter.
    const delays = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    const nominal = Array.from({ length: 11 }, (_, index) => Math.min(5 * second * 3 ** index, 12 * hour));
    for (const [index, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual((nominal[index] ?? 0) * 0.8);
      expect(delay).toBeLessThanOrEqual((nominal[index] ?? 0) * 1.2 + second);
    }
    const span = (failed?.endedAt ?? 0) - accepted;
    expect(span).toBeGreaterThan(24 * hour);
    expect(span).toBeLessThan(72 * hour);
    const [first, ...others] = receiver.requests;
    expect(first?.body).toBe(event.body);
    for (const { body, headers } of others) {
      expect(body).toBe(first?.body);
      expect(headers["x-event-id"]).toBe(event.id);
      expect(headers["x-signature"]).toBe(first?.headers["x-signature"]);
    }
    expect(receiver.requests.map(({ headers }) => headers["x-attempt"])).toEqual(
      Array.from({ length: 12 }, (_, index) => String(index + 1)),
    );

    failing = false;
    await queue.redeliver(id);
    expect(await ended(id)).toMatchObject({ state: "delivered", attempts: 1 });
    const again = receiver.requests.at(-1);
    expect(again?.body).toBe(first?.body);
    expect(again?.headers).toMatchObject({ "x-event-id": event.id, "x-delivery-id": id, "x-attempt": "1" });
    expect(seen.outcomes).toEqual([...Array(12).fill("retry"), "ok"]);
    expect((await queue.get(id))?.log).toHaveLength(13);
    expect([...seen.faults, ...seen.notices, ...seen.errors]).toEqual([]);
  },
  120_000,
);
