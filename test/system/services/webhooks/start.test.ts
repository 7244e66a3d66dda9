import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { StoreError } from "../../../../src/storage/errors.ts";
import { day, hour, minute, second } from "../../../unit/services/webhooks/clock.ts";
import { answers, type Behaviour, inTurn, neverAnswers, openReceiver } from "./receivers.ts";
import { openSending, options } from "./sending.ts";

async function receive(behaviour: Behaviour) {
  const receiver = await openReceiver(behaviour);
  onTestFinished(() => receiver.close());
  return receiver;
}

it("notifies the other endpoints of an account once that one was disabled by 410", async () => {
  const { clock, queue, outbox, start, publish, ended, ...seen } = await openSending(
    {},
    {
      // Late enough that all three have their answers.
      wrapQueue: ({ fail }) => ({ fail: (...which) => sleep(100).then(() => fail(...which)) }),
    },
  );
  const open: (() => void)[] = [];
  const gone = await receive((response, received, number) => {
    open.push(() => answers(410)(response, received, number));
    // All at once: each attempt finds it out.
    if (open.length >= 3 || number > 3) for (const answer of open.splice(0)) answer();
  });
  const other = await receive(answers(200));
  const { record } = await outbox.endpoints.add({
    account: "acme",
    url: `${gone.url}/a/secret/path?token=1`,
    description: "the old bot",
  });
  await outbox.endpoints.add({ account: "acme", url: other.url });
  start();
  const sent = [await publish(record.id), await publish(record.id), await publish(record.id)];
  for (const { id } of sent) expect((await ended(id))?.state).toBe("failed");
  await clock.leap(async () => other.requests.length > 0, seen.busy);
  expect((await outbox.endpoints.get(record.id)).state).toBe("disabled");
  expect(other.requests).toHaveLength(1);
  const body = JSON.parse(other.requests[0]?.body ?? "") as Record<string, unknown>;
  expect(body).toMatchObject({
    type: "endpoint.disabled",
    account: "acme",
    data: { endpoint: { id: record.id, origin: gone.url, description: "the old bot" }, reason: "gone" },
  });
  expect(other.requests[0]?.body).not.toMatch(/secret|token|whsec/);
  expect(await queue.list({ endpoint: record.id, type: "endpoint.disabled", limit: 10 })).toEqual([]);
  // No deliveries are added for it any more, and a command that resumes it restores it.
  expect(await queue.list({ endpoint: record.id, state: "waiting", limit: 10 })).toEqual([]);
  const resumed = await outbox.endpoints.resume(record.id);
  expect(resumed).not.toHaveProperty("disabledReason");
  await clock.pass(second);
  const after = gone.requests.length;
  await publish(record.id);
  await clock.leap(async () => gone.requests.length > after, seen.busy);
  expect(seen.faults).toEqual([]);
});

it.each([
  [false, 1, "failed"],
  [true, 2, "delivered"],
] as const)("retries an answer of 404: %s", async (retryClientErrors, requests, state) => {
  const { outbox, start, publish, ended } = await openSending();
  const receiver = await receive(inTurn(answers(404), answers(200)));
  const { record } = await outbox.endpoints.add({ account: "acme", url: receiver.url, retryClientErrors });
  start();
  const { id } = await publish(record.id);
  expect((await ended(id))?.state).toBe(state);
  expect(receiver.requests).toHaveLength(requests);
});

it.each([
  [408, 2],
  [425, 2],
  [429, 2],
  [500, 2],
  [502, 2],
  [302, 1],
  [401, 1],
])("an answer of %i is the first of %i", async (status, requests) => {
  const { outbox, start, publish, ended } = await openSending();
  const receiver = await receive(inTurn(answers(status, { location: "/elsewhere" }), answers(200)));
  const { record } = await outbox.endpoints.add({ account: "acme", url: receiver.url });
  start();
  const { id } = await publish(record.id);
  expect((await ended(id))?.state).toBe(requests === 1 ? "failed" : "delivered");
  expect(receiver.requests).toHaveLength(requests);
});

it("waits as long as Retry-After asks", async () => {
  const { clock, outbox, start, publish, ended } = await openSending();
  const times: number[] = [];
  const receiver = await receive((response, received, number) => {
    times.push(clock.now());
    inTurn(answers(429, { "retry-after": "3600" }), answers(200))(response, received, number);
  });
  const { record } = await outbox.endpoints.add({ account: "acme", url: receiver.url });
  start();
  await ended((await publish(record.id)).id);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(hour);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeLessThan(hour + minute);
});

it("signs with the new secret at once, and for a day with the old one beside it", async () => {
  const { clock, outbox, start, publish, ended } = await openSending();
  const receiver = await receive(answers(200));
  const { record, secret } = await outbox.endpoints.add({
    account: "acme",
    url: receiver.url,
    method: "PUT",
  });
  start();
  const rotated = await outbox.endpoints.rotate(record.id);
  await ended((await publish(record.id)).id);
  await clock.pass(day + second);
  await ended((await publish(record.id)).id);
  const hexOf = (key: string, body = ""): string => createHmac("sha256", key).update(body).digest("hex");
  const [during, after] = receiver.requests;
  expect(during?.method).toBe("PUT");
  expect(during?.headers["x-signature"]).toBe(hexOf(rotated.secret, during?.body));
  expect(during?.headers["x-signature-previous"]).toBe(hexOf(secret, during?.body));
  expect(String(during?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
  expect(after?.headers["x-signature"]).toBe(hexOf(rotated.secret, after?.body));
  expect(after?.headers).not.toHaveProperty("x-signature-previous");
  expect(String(after?.headers["webhook-signature"]).split(" ")).toHaveLength(1);
});

it("holds deliveries for an endpoint whose secret is encrypted with another key, and reports it", async () => {
  const { clock, queue, openOutbox, start, publish, ...seen } = await openSending();
  const receiver = await receive(answers(200));
  const sealed = openOutbox({ encryptionKey: "ab".repeat(32) });
  const { record } = await sealed.endpoints.add({ account: "acme", url: receiver.url });
  const sending = start();
  const { id } = await publish(record.id);
  await clock.pass(10 * minute);
  expect((await queue.get(id))?.state).toBe("waiting");
  expect(receiver.requests).toEqual([]);
  expect(seen.notices[0]).toMatch(/secret.*encrypted.*storage\.encryptionKey/);
  expect(seen.notices.join()).not.toContain("sealed:");
  await sending.stop();
  start({ outbox: sealed });
  await clock.leap(async () => receiver.requests.length === 1, seen.busy);
});

it("sends nothing to an address that is not public, and reveals nothing of it", async () => {
  const receiver = await receive(answers(200, {}, "the inside"));
  const { clock, queue, outbox, openOutbox, start, publish, ...seen } = await openSending();
  const { record } = await outbox.endpoints.add({ account: "acme", url: receiver.url });
  start({ outbox: openOutbox({ allowCidrs: [] }) });
  const { id } = await publish(record.id);
  await clock.leap(async () => seen.outcomes.length > 1, seen.busy);
  expect(receiver.connections).toBe(0);
  const [attempt] = (await queue.get(id))?.log ?? [];
  expect(attempt).toMatchObject({ outcome: "retry", error: "address_blocked" });
  expect(attempt).not.toHaveProperty("excerpt");
});

it("opens a queue later that cannot be opened yet, and reports its state on request", async () => {
  let failing = true;
  const { clock, queue, outbox, start, publish, ...seen } = await openSending(
    {},
    {
      wrap: () => ({
        deliveries: async () => {
          if (failing) throw new StoreError("open", "The journal is of a newer release.");
          return queue;
        },
      }),
    },
  );
  const receiver = await receive(answers(200));
  const sending = start();
  await clock.pass(minute);
  expect(await sending.status()).toBeUndefined();
  expect(seen.faults.length).toBeGreaterThan(5);
  expect(seen.faults.length).toBeLessThan(20);
  failing = false;
  const { record } = await outbox.endpoints.add({ account: "acme", url: receiver.url });
  await outbox.endpoints.pause(record.id);
  await publish(record.id);
  await clock.pass(minute);
  expect(await sending.status()).toEqual({ deliveries: 1, oldestSeconds: 60, lateSeconds: 0 });
  await outbox.endpoints.resume(record.id);
  await clock.leap(async () => receiver.requests.length === 1, seen.busy);
  await clock.pass(second);
  expect(await sending.status()).toEqual({ deliveries: 0, oldestSeconds: 0, lateSeconds: 0 });
});

it("reports how long deliveries are overdue if no server sends", async () => {
  const { clock, outbox, start, publish } = await openSending({}, { changed: { concurrency: 0 } });
  const receiver = await receive(answers(200));
  const { record } = await outbox.endpoints.add({ account: "acme", url: receiver.url });
  const sending = start();
  await publish(record.id);
  await clock.pass(90 * second);
  expect(await sending.status()).toEqual({ deliveries: 1, oldestSeconds: 90, lateSeconds: 90 });
});

it("ends within its time if a receiver hangs, and leaves the delivery to the next", async () => {
  const { clock, queue, outbox, start, publish } = await openSending();
  const receiver = await receive(inTurn(neverAnswers, answers(200)));
  const { record } = await outbox.endpoints.add({ account: "acme", url: receiver.url });
  const sending = start();
  const { id } = await publish(record.id);
  while (receiver.requests.length === 0) {
    await clock.pass(second);
    await sleep(5);
  }
  const stopped = sending.stop();
  await clock.pass(5 * second);
  await stopped;
  expect(await queue.get(id)).toMatchObject({ state: "waiting", attempts: 0 });
  expect(receiver.open()).toBeLessThanOrEqual(1);
  await expect.poll(() => receiver.open()).toBe(0);
});

it("forgets what ended before webhooks.keepDays, and fails what waited for 72 hours", async () => {
  const { clock, queue, outbox, start, publish, ended } = await openSending(
    {},
    { changed: { keepDays: 2, timeoutMs: options.timeoutMs } },
  );
  const receiver = await receive(answers(200));
  const { record } = await outbox.endpoints.add({ account: "acme", url: receiver.url });
  const paused = await outbox.endpoints.add({ account: "acme", url: receiver.url });
  await outbox.endpoints.pause(paused.record.id);
  start();
  const done = await publish(record.id);
  const waits = await publish(paused.record.id);
  await ended(done.id);
  await clock.pass(2 * day - hour);
  expect((await queue.get(done.id))?.state).toBe("delivered");
  await clock.pass(2 * hour);
  expect(await queue.get(done.id)).toBeUndefined();
  expect((await queue.get(waits.id))?.state).toBe("waiting");
  await clock.pass(day + hour);
  expect(await queue.get(waits.id)).toMatchObject({
    state: "failed",
    attempts: 0,
    reason: "It was not delivered within 72 hours.",
  });
});
