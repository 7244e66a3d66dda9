import { randomBytes } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { formatUuids } from "../../../../src/lib/uuid/format.ts";
import { unixUuids } from "../../../../src/lib/uuid/timed.ts";
import type {
  Attempt,
  Claim,
  DeliveryQueue,
  QueueOptions,
  Settlement,
  StoredEvent,
} from "../../../../src/storage/deliveries/delivery-queue.ts";

/** An empty queue of its own, and its clock. */
export interface QueueUnderTest {
  queue: DeliveryQueue;
  now(): number;
  /** Lets at least this many milliseconds pass. */
  pass(ms: number): Promise<void>;
  /** The same data after a restart, or through another node; undefined if nothing survives. */
  reopen?(): Promise<DeliveryQueue>;
}

export interface Backend {
  name: string;
  /** Milliseconds that no step of a test takes: many with a clock that the test sets, a few with a real one. */
  unit: number;
  /** Closes what it opens when the test ends. */
  open(options: Pick<QueueOptions, "perEndpoint" | "circuit">): Promise<QueueUnderTest>;
}

let events = 0;

export function makeEvent(now: number, changes: Partial<StoredEvent> = {}): StoredEvent {
  events += 1;
  const id = `evt_${formatUuids(unixUuids(1, Math.floor(now), (size) => randomBytes(size)))}`;
  return { id, type: "key.issued", account: "acme", body: `{"n":${events}}`, ...changes };
}

export const makeAttempt = (number: number, at: number, changes: Partial<Attempt> = {}): Attempt => ({
  number,
  at,
  durationMs: 12,
  outcome: "ok",
  status: 200,
  ...changes,
});

/** The contract of `DeliveryQueue`, for every queue. */
export function testQueue({ name, unit, open: openBackend }: Backend): void {
  const leaseMs = 10 * unit;
  const open = (options: Partial<QueueOptions> = {}): Promise<QueueUnderTest> =>
    openBackend({ perEndpoint: 8, circuit: { after: 5, everyMs: 10 * unit }, ...options });

  const claimAll = (queue: DeliveryQueue, count = 1_000): Promise<Claim[]> => queue.claim({ count, leaseMs });

  async function claimOne(queue: DeliveryQueue): Promise<Claim> {
    const [claim] = await claimAll(queue, 1);
    if (claim === undefined) throw new Error("there is nothing to claim");
    return claim;
  }

  const ok = (now: number, number = 1): Settlement => ({
    attempt: makeAttempt(number, now),
    state: "delivered",
  });
  const retry = (now: number, number: number, nextAt: number): Settlement => ({
    attempt: makeAttempt(number, now, { outcome: "retry", status: 503, excerpt: "busy" }),
    state: "waiting",
    nextAt,
  });

  describe(`the queue of deliveries, ${name}`, () => {
    describe("an event that is added", () => {
      test("is due at once, for each endpoint, with its bytes", async () => {
        const { queue, now } = await open();
        const body = JSON.stringify({ text: 'ä 🙂 "\\\n\u2028\u0000', long: "x".repeat(100_000) });
        const event = makeEvent(now(), { body });
        const before = now();
        const added = await queue.add(event, ["we_a", "we_b"]);
        expect(added.map(({ endpoint }) => endpoint)).toEqual(["we_a", "we_b"]);
        for (const delivery of added) {
          expect(delivery).toEqual({
            id: expect.stringMatching(/^dlv_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
            event: event.id,
            type: "key.issued",
            account: "acme",
            endpoint: delivery.endpoint,
            state: "waiting",
            attempts: 0,
            createdAt: delivery.createdAt,
            since: delivery.createdAt,
            nextAt: delivery.createdAt,
          });
          expect(delivery.createdAt).toBeGreaterThanOrEqual(before);
          expect(delivery.createdAt).toBeLessThanOrEqual(now());
        }
        const claims = await claimAll(queue);
        expect(claims.map(({ delivery }) => delivery.endpoint).toSorted()).toEqual(["we_a", "we_b"]);
        expect(claims.map(({ delivery }) => delivery.event)).toEqual([event.id, event.id]);
        for (const claim of claims) expect(claim.body).toBe(body);
      });

      test("is sent once to an endpoint that is listed twice", async () => {
        const { queue, now } = await open();
        expect(await queue.add(makeEvent(now()), ["we_a", "we_a"])).toHaveLength(1);
      });

      test("is not added again: while it waits, after it has ended, or concurrently", async () => {
        const { queue, now } = await open();
        const event = makeEvent(now());
        const both = await Promise.all([queue.add(event, ["we_a"]), queue.add(event, ["we_a"])]);
        expect(both.map(({ length }) => length).toSorted()).toEqual([0, 1]);
        expect(await queue.add(event, ["we_a", "we_b"])).toEqual([]);
        await queue.settle(await claimOne(queue), ok(now()));
        expect(await queue.add(event, ["we_b"])).toEqual([]);
        expect((await queue.stats()).depth).toBe(0);
      });

      test("is added once within its period, whichever event reports it", async () => {
        const { queue, now, pass } = await open();
        const once = { name: "limit.warning:acme", until: now() + 10 * unit };
        const both = await Promise.all([
          queue.add(makeEvent(now()), ["we_a"], once),
          queue.add(makeEvent(now()), ["we_a"], once),
        ]);
        expect(both.map(({ length }) => length).toSorted()).toEqual([0, 1]);
        expect(await queue.add(makeEvent(now()), ["we_a"], once)).toEqual([]);
        expect(await queue.add(makeEvent(now()), ["we_a"], { ...once, name: "other" })).toHaveLength(1);
        await pass(11 * unit);
        const next = { ...once, until: now() + 10 * unit };
        expect(await queue.add(makeEvent(now()), ["we_a"], next)).toHaveLength(1);
        expect(await queue.add(makeEvent(now()), ["we_a"], next)).toEqual([]);
      });
    });

    /** Adds, claims and settles one that fails. */
    async function failOnce({ queue, now }: QueueUnderTest, endpoint: string): Promise<void> {
      await queue.add(makeEvent(now()), [endpoint]);
      await queue.settle(await claimOne(queue), {
        attempt: makeAttempt(1, now(), { outcome: "refused", status: 400 }),
        state: "failed",
        reason: "It was refused.",
      });
    }

    describe("a claim", () => {
      test("is exclusive, and returns no more than was requested", async () => {
        const { queue, now } = await open();
        for (const endpoint of ["we_a", "we_b", "we_c"]) await queue.add(makeEvent(now()), [endpoint]);
        const both = await Promise.all([claimAll(queue, 2), claimAll(queue, 2)]);
        expect(
          both
            .flat()
            .map(({ delivery }) => delivery.endpoint)
            .toSorted(),
        ).toEqual(["we_a", "we_b", "we_c"]);
        expect(Math.max(...both.map(({ length }) => length))).toBe(2);
        expect(await claimAll(queue)).toEqual([]);
      });

      test("takes the delivery of an endpoint that has been due longest", async () => {
        const { queue, now, pass } = await open();
        const ids: string[] = [];
        for (let n = 0; n < 3; n++) {
          const [delivery] = await queue.add(makeEvent(now()), ["we_a"]);
          ids.push(delivery?.id ?? "");
          await pass(unit);
        }
        const claims = [await claimOne(queue), await claimOne(queue), await claimOne(queue)];
        expect(claims.map(({ delivery }) => delivery.id)).toEqual(ids);
        const at = now();
        await queue.settle(claims[0] as Claim, { state: "waiting", nextAt: at - unit });
        await queue.settle(claims[1] as Claim, { state: "waiting", nextAt: at - 3 * unit });
        await queue.settle(claims[2] as Claim, { state: "waiting", nextAt: at - 2 * unit });
        const again = [await claimOne(queue), await claimOne(queue), await claimOne(queue)];
        expect(again.map(({ delivery }) => delivery.id)).toEqual([ids[1], ids[2], ids[0]]);
      });

      test("endpoints take turns", async () => {
        const { queue, now } = await open({ perEndpoint: 100 });
        for (let n = 0; n < 30; n++) await queue.add(makeEvent(now()), ["we_busy"]);
        for (let n = 0; n < 3; n++) await queue.add(makeEvent(now()), ["we_b", "we_c"]);
        const seen: string[] = [];
        for (let n = 0; n < 3; n++)
          seen.push(...(await claimAll(queue, 3)).map(({ delivery }) => delivery.endpoint));
        for (const endpoint of ["we_busy", "we_b", "we_c"])
          expect(seen.filter((one) => one === endpoint)).toHaveLength(3);
        expect(await claimAll(queue)).toHaveLength(27);
      });

      test("takes no more than perEndpoint of one endpoint at once", async () => {
        const { queue, now } = await open({ perEndpoint: 3 });
        for (let n = 0; n < 10; n++) await queue.add(makeEvent(now()), ["we_a"]);
        const claims = await claimAll(queue);
        expect(claims).toHaveLength(3);
        expect(await claimAll(queue)).toEqual([]);
        await queue.settle(claims[0] as Claim, ok(now()));
        expect(await claimAll(queue)).toHaveLength(1);
        await queue.add(makeEvent(now()), ["we_b"]);
        expect((await claimAll(queue)).map(({ delivery }) => delivery.endpoint)).toEqual(["we_b"]);
      });

      test("takes no more than its share for one account, whatever the number of its endpoints", async () => {
        const { queue, now } = await open({ perEndpoint: 3 });
        for (let n = 0; n < 10; n++) {
          await queue.add(makeEvent(now(), { account: "greedy" }), [`we_${n}a`, `we_${n}b`]);
        }
        await queue.add(makeEvent(now(), { account: "small" }), ["we_s"]);
        const accountsOf = (claims: Claim[]): string[] =>
          claims.map(({ delivery }) => delivery.account).toSorted();
        const running = new Map([["greedy", 2]]);
        const claims = await queue.claim({ count: 8, leaseMs, accounts: { max: 5, running } });
        expect(accountsOf(claims)).toEqual(["greedy", "greedy", "greedy", "small"]);
        const nobody = new Map([["greedy", 5]]);
        expect(await queue.claim({ count: 8, leaseMs, accounts: { max: 5, running: nobody } })).toEqual([]);
        // Deliveries that were passed over have kept their turn.
        expect(accountsOf(await claimAll(queue))).toEqual(Array(17).fill("greedy"));
      });

      test("takes an urgent delivery first, regardless of the circuit and perEndpoint, once", async () => {
        const under = await open({ perEndpoint: 1, circuit: { after: 1, everyMs: 1_000 * unit } });
        const { queue, now } = under;
        await failOnce(under, "we_a");
        await queue.add(makeEvent(now()), ["we_b"]);
        await queue.add(makeEvent(now()), ["we_a"]);
        const [urgent] = await queue.add(makeEvent(now()), ["we_a"], undefined, true);
        const [other] = await queue.add(makeEvent(now()), ["we_a"], undefined, true);
        const at = await queue.nextAt();
        expect(at).toBeLessThanOrEqual(now());
        const claims = await claimAll(queue);
        expect(claims.map(({ delivery }) => delivery.id).slice(0, 2)).toEqual([urgent?.id, other?.id]);
        expect(claims.slice(2).map(({ delivery }) => delivery.endpoint)).toEqual(["we_b"]);
        // One that failed waits like any other.
        await queue.settle(claims[0] as Claim, retry(now(), 1, now()));
        expect(await claimAll(queue)).toEqual([]);
      });

      test("passes to another claimant when the lease is over; the late claimant settles nothing", async () => {
        const { queue, now, pass } = await open();
        await queue.add(makeEvent(now()), ["we_a"]);
        const first = await claimOne(queue);
        expect(await claimAll(queue)).toEqual([]);
        expect(await queue.nextAt()).toBeGreaterThan(now());
        await pass(leaseMs + unit);
        const second = await claimOne(queue);
        expect(second.delivery).toEqual(first.delivery);
        expect(second.fence).toBeGreaterThan(first.fence);
        expect(await queue.settle(first, ok(now()))).toBeUndefined();
        expect(await queue.get(first.delivery.id)).toMatchObject({ state: "waiting", attempts: 0, log: [] });
        expect(await queue.settle(second, ok(now()))).toEqual({ failures: 0 });
        expect(await queue.get(first.delivery.id)).toMatchObject({ state: "delivered", attempts: 1 });
      });

      test("can be settled after its lease too, as long as it was not claimed again", async () => {
        const { queue, now, pass } = await open();
        await queue.add(makeEvent(now()), ["we_a"]);
        const claim = await claimOne(queue);
        await pass(leaseMs + unit);
        expect(await queue.settle(claim, ok(now()))).toEqual({ failures: 0 });
        expect(await claimAll(queue)).toEqual([]);
      });
    });

    describe("a settlement", () => {
      test("happens once", async () => {
        const { queue, now } = await open();
        await queue.add(makeEvent(now()), ["we_a"]);
        const claim = await claimOne(queue);
        const both = await Promise.all([queue.settle(claim, ok(now())), queue.settle(claim, ok(now()))]);
        expect(both.filter((health) => health !== undefined)).toHaveLength(1);
        expect(await queue.settle(claim, ok(now()))).toBeUndefined();
        expect((await queue.get(claim.delivery.id))?.log).toHaveLength(1);
        await queue.add(makeEvent(now()), ["we_a"]);
        const other = await claimOne(queue);
        await queue.settle(other, retry(now(), 1, now()));
        expect(await queue.settle(other, retry(now(), 2, now()))).toBeUndefined();
        expect(await queue.get(other.delivery.id)).toMatchObject({ state: "waiting", attempts: 1 });
      });

      test("that retries keeps the attempts, and waits until it is due again", async () => {
        const { queue, now, pass } = await open();
        const event = makeEvent(now());
        await queue.add(event, ["we_a"]);
        const claim = await claimOne(queue);
        const at = now();
        const dueAt = at + 5 * unit;
        expect(await queue.settle(claim, retry(at, 1, dueAt))).toEqual({ failures: 1, failingSince: at });
        expect(await claimAll(queue)).toEqual([]);
        expect(await queue.nextAt()).toBe(dueAt);
        expect(await queue.get(claim.delivery.id)).toEqual({
          ...claim.delivery,
          attempts: 1,
          nextAt: dueAt,
          body: event.body,
          log: [makeAttempt(1, at, { outcome: "retry", status: 503, excerpt: "busy" })],
        });
        await pass(6 * unit);
        const again = await claimOne(queue);
        expect(again).toMatchObject({ body: event.body, delivery: { id: claim.delivery.id, attempts: 1 } });
      });

      test("that releases it unused makes it due again if no attempt was made", async () => {
        const { queue, now } = await open();
        await queue.add(makeEvent(now()), ["we_a"]);
        const claim = await claimOne(queue);
        expect(await queue.settle(claim, { state: "waiting", nextAt: now() })).toEqual({ failures: 0 });
        const again = await claimOne(queue);
        expect(again.delivery).toMatchObject({ id: claim.delivery.id, attempts: 0 });
      });

      test("that ends it keeps all attempts", async () => {
        const { queue, now } = await open();
        const event = makeEvent(now(), { type: "key.revoked" });
        await queue.add(event, ["we_a"]);
        const at = now();
        await queue.settle(await claimOne(queue), retry(at, 1, at));
        const claim = await claimOne(queue);
        const refused = makeAttempt(2, now(), { outcome: "refused", status: 404 });
        const reason = "The endpoint answered 404.";
        const health = await queue.settle(claim, { attempt: refused, state: "failed", reason });
        expect(health).toEqual({ failures: 2, failingSince: at });
        const found = await queue.get(claim.delivery.id);
        expect(found).toEqual({
          id: claim.delivery.id,
          event: event.id,
          type: "key.revoked",
          account: "acme",
          endpoint: "we_a",
          state: "failed",
          attempts: 2,
          createdAt: claim.delivery.createdAt,
          since: claim.delivery.createdAt,
          endedAt: expect.any(Number),
          reason,
          body: event.body,
          log: [makeAttempt(1, at, { outcome: "retry", status: 503, excerpt: "busy" }), refused],
        });
        expect(found?.endedAt).toBeGreaterThanOrEqual(at);
        expect(found?.endedAt).toBeLessThanOrEqual(now());
        expect(await claimAll(queue)).toEqual([]);
        expect(await queue.nextAt()).toBeUndefined();
      });
    });

    describe("the state of an endpoint", () => {
      test("counts failures in a row, and is reset by a success", async () => {
        const under = await open();
        const { queue, now, pass } = under;
        expect(await queue.health("we_a")).toEqual({ failures: 0 });
        const from = now();
        await failOnce(under, "we_a");
        const { failingSince } = await queue.health("we_a");
        expect(failingSince).toBeGreaterThanOrEqual(from);
        await pass(unit);
        await failOnce(under, "we_a");
        expect(await queue.health("we_a")).toEqual({ failures: 2, failingSince });
        expect(await queue.health("we_b")).toEqual({ failures: 0 });
        await queue.add(makeEvent(now()), ["we_a"]);
        expect(await queue.settle(await claimOne(queue), ok(now()))).toEqual({ failures: 0 });
        expect(await queue.health("we_a")).toEqual({ failures: 0 });
      });

      test("opens its circuit: one attempt at a time, with a pause after the last, until one succeeds", async () => {
        const under = await open({ circuit: { after: 3, everyMs: 10 * unit } });
        const { queue, now, pass } = under;
        for (let n = 0; n < 3; n++) await failOnce(under, "we_a");
        for (let n = 0; n < 5; n++) await queue.add(makeEvent(now()), ["we_a"]);
        await queue.add(makeEvent(now()), ["we_b"]);
        const other = await claimOne(queue);
        expect(other.delivery.endpoint).toBe("we_b");
        await queue.settle(other, ok(now()));
        expect(await claimAll(queue)).toEqual([]);
        await pass(11 * unit);
        const probe = await claimOne(queue);
        expect(await claimAll(queue)).toEqual([]);
        const at = now();
        await queue.settle(probe, retry(at, 1, at));
        expect(await claimAll(queue)).toEqual([]);
        const next = await queue.nextAt();
        expect(next).toBeGreaterThanOrEqual(at + 10 * unit);
        expect(next).toBeLessThanOrEqual(now() + 10 * unit);
        const waiting = await queue.list({ endpoint: "we_a", state: "waiting", limit: 10 });
        expect(waiting.map(({ attempts }) => attempts).toSorted()).toEqual([0, 0, 0, 0, 1]);
        await pass(11 * unit);
        const second = await claimOne(queue);
        expect(await claimAll(queue)).toEqual([]);
        await queue.settle(second, ok(now()));
        expect(await claimAll(queue)).toHaveLength(4);
      });

      test("allows a probe that was released to be made at once", async () => {
        const under = await open({ circuit: { after: 1, everyMs: 5 * unit } });
        const { queue, now, pass } = under;
        await failOnce(under, "we_a");
        await queue.add(makeEvent(now()), ["we_a"]);
        await pass(6 * unit);
        await queue.settle(await claimOne(queue), { state: "waiting", nextAt: now() });
        expect(await claimAll(queue)).toHaveLength(1);
      });

      test("is reset for an endpoint that was resumed", async () => {
        const under = await open({ circuit: { after: 1, everyMs: 1_000 * unit } });
        const { queue, now } = under;
        await failOnce(under, "we_a");
        for (let n = 0; n < 3; n++) await queue.add(makeEvent(now()), ["we_a"]);
        expect(await claimAll(queue)).toEqual([]);
        await queue.resetHealth("we_a");
        expect(await queue.health("we_a")).toEqual({ failures: 0 });
        expect(await claimAll(queue)).toHaveLength(3);
      });

      test("reports since when a delivery could have been claimed that was not", async () => {
        const { queue, now, pass } = await open();
        const added = now();
        await queue.add(makeEvent(added), ["we_a"]);
        await pass(5 * unit);
        await queue.add(makeEvent(now()), ["we_b"]);
        expect(await queue.nextAt()).toBeGreaterThanOrEqual(added);
        expect(await queue.nextAt()).toBeLessThanOrEqual(now() - 5 * unit);
      });

      test("holds the deliveries of a held endpoint", async () => {
        const { queue, now, pass } = await open();
        await queue.add(makeEvent(now()), ["we_a"]);
        await queue.hold("we_a", Infinity);
        await queue.add(makeEvent(now()), ["we_a"]);
        expect(await claimAll(queue)).toEqual([]);
        expect(await queue.nextAt()).toBeUndefined();
        expect((await queue.stats()).depth).toBe(2);
        const until = now() + 5 * unit;
        await queue.hold("we_a", until);
        expect(await claimAll(queue)).toEqual([]);
        expect(await queue.nextAt()).toBe(until);
        await pass(6 * unit);
        const claims = await claimAll(queue);
        expect(claims).toHaveLength(2);
        await queue.hold("we_a", Infinity);
        for (const claim of claims) await queue.settle(claim, { state: "waiting", nextAt: now() });
        expect(await claimAll(queue)).toEqual([]);
        await queue.hold("we_a", 0);
        expect(await claimAll(queue)).toHaveLength(2);
      });
    });

    describe("failing and redelivering", () => {
      test("fails all deliveries of an endpoint, including those in progress", async () => {
        const { queue, now } = await open({ perEndpoint: 1 });
        for (let n = 0; n < 3; n++) await queue.add(makeEvent(now()), ["we_a", "we_b"]);
        const claims = await claimAll(queue);
        const claim = claims.find(({ delivery }) => delivery.endpoint === "we_a") as Claim;
        expect(await queue.fail("we_a", "The endpoint was removed.")).toBe(3);
        expect(await queue.settle(claim, ok(now()))).toBeUndefined();
        expect(await queue.health("we_a")).toEqual({ failures: 0 });
        const ended = await queue.list({ endpoint: "we_a", limit: 10 });
        expect(ended).toHaveLength(3);
        for (const delivery of ended) {
          expect(delivery).toMatchObject({
            state: "failed",
            reason: "The endpoint was removed.",
            attempts: 0,
          });
          expect(delivery.nextAt).toBeUndefined();
        }
        expect(await queue.stats()).toMatchObject({ depth: 3 });
        expect(await queue.fail("we_a", "Again.")).toBe(0);
        expect(await queue.fail("we_none", "Never there.")).toBe(0);
        await queue.add(makeEvent(now()), ["we_a"]);
        expect(await claimAll(queue)).toHaveLength(1);
      });

      test("a delivery that has ended is redelivered with the same event, and keeps its attempts", async () => {
        const { queue, now, pass } = await open();
        const event = makeEvent(now());
        await queue.add(event, ["we_a"]);
        const first = makeAttempt(1, now(), { outcome: "refused", status: 400 });
        const claim = await claimOne(queue);
        await queue.settle(claim, { attempt: first, state: "failed", reason: "It was refused." });
        await pass(5 * unit);
        const at = now();
        const anew = await queue.redeliver(claim.delivery.id);
        expect(anew).toEqual({ ...claim.delivery, since: anew?.since, nextAt: anew?.nextAt });
        expect(anew?.since).toBeGreaterThanOrEqual(at);
        expect(anew?.nextAt).toBeLessThanOrEqual(now());
        expect(await queue.get(claim.delivery.id)).toEqual({ ...anew, body: event.body, log: [first] });
        expect(await queue.list({ limit: 10 })).toEqual([anew]);
        expect(await queue.list({ state: "failed", limit: 10 })).toEqual([]);
        expect(await queue.stats()).toEqual({ depth: 1, oldestAt: anew?.since });
        const again = await claimOne(queue);
        expect(again).toMatchObject({ body: event.body, delivery: anew });
        expect(again.fence).toBeGreaterThan(claim.fence);
        expect(await queue.settle(claim, ok(now()))).toBeUndefined();
        const second = makeAttempt(1, now());
        await queue.settle(again, { attempt: second, state: "delivered" });
        const found = await queue.get(claim.delivery.id);
        expect(found).toMatchObject({ state: "delivered", attempts: 1, log: [first, second] });
        expect(found?.reason).toBeUndefined();
        expect(await queue.list({ state: "failed", limit: 10 })).toEqual([]);
        expect(await queue.list({ limit: 10 })).toHaveLength(1);
      });

      test("of concurrent redeliveries one takes effect", async () => {
        const { queue, now } = await open();
        await queue.add(makeEvent(now()), ["we_a"]);
        const claim = await claimOne(queue);
        await queue.settle(claim, ok(now()));
        const both = await Promise.all([
          queue.redeliver(claim.delivery.id),
          queue.redeliver(claim.delivery.id),
        ]);
        for (const delivery of both) expect(delivery).toMatchObject({ state: "waiting", attempts: 0 });
        expect((await queue.stats()).depth).toBe(1);
        expect(await claimAll(queue)).toHaveLength(1);
      });

      test("a waiting delivery becomes due at once, unchanged", async () => {
        const { queue, now } = await open();
        await queue.add(makeEvent(now()), ["we_a"]);
        const at = now();
        await queue.settle(await claimOne(queue), retry(at, 1, at + 1_000 * unit));
        const [waiting] = await queue.list({ limit: 1 });
        const due = await queue.redeliver(waiting?.id ?? "");
        expect(due).toEqual({ ...waiting, nextAt: due?.nextAt });
        expect(due?.nextAt).toBeLessThanOrEqual(now());
        expect((await claimOne(queue)).delivery).toEqual(due);
      });

      test("an unknown delivery cannot be redelivered, read or settled", async () => {
        const { queue, now } = await open();
        const id = "dlv_019fb0e1-0000-7000-8000-000000000000";
        expect(await queue.redeliver(id)).toBeUndefined();
        expect(await queue.get(id)).toBeUndefined();
        expect(await queue.get("dlv_junk")).toBeUndefined();
        expect(await queue.list({ limit: 10 })).toEqual([]);
        expect(await queue.stats()).toEqual({ depth: 0 });
        expect(await queue.nextAt()).toBeUndefined();
        expect(await claimAll(queue)).toEqual([]);
        await queue.add(makeEvent(now()), ["we_a"]);
        const claim = await claimOne(queue);
        expect(
          await queue.settle({ ...claim, delivery: { ...claim.delivery, id } }, ok(now())),
        ).toBeUndefined();
        expect(await queue.settle({ ...claim, fence: claim.fence + 1 }, ok(now()))).toBeUndefined();
        expect(await queue.settle(claim, ok(now()))).toEqual({ failures: 0 });
      });
    });

    test("continues a list after a delivery, whatever was added since and whether it still exists", async () => {
      const { queue, now, pass } = await open();
      for (let n = 0; n < 3; n++) {
        // Several events of the same time, each with two deliveries.
        for (let event = 0; event < 6; event++) await queue.add(makeEvent(now()), ["we_a", "we_b"]);
        await pass(unit);
      }
      for (const claim of (await claimAll(queue)).slice(0, 2)) await queue.settle(claim, ok(now()));
      const all = await queue.list({ limit: 100 });
      expect(all).toHaveLength(36);
      const pages: string[] = [];
      let after: (typeof all)[number] | undefined;
      for (;;) {
        const page = await queue.list({ limit: 2, ...(after && { after }) });
        if (page.length === 0) break;
        pages.push(...page.map(({ id }) => id));
        after = page.at(-1);
        await queue.add(makeEvent(now()), ["we_c"]);
        await pass(unit);
      }
      expect(pages).toEqual(all.map(({ id }) => id));
      const [first, second] = all.filter(({ endpoint }) => endpoint === "we_a");
      if (first === undefined) throw new Error("there is no delivery");
      expect((await queue.list({ endpoint: "we_a", limit: 1, after: first }))[0]?.id).toBe(second?.id);
      const gone = { id: "dlv_gone", createdAt: first.createdAt + unit / 2 };
      expect((await queue.list({ limit: 1, after: gone }))[0]?.id).toBe(all[0]?.id);
    });

    test("lists matching deliveries, newest first", async () => {
      const { queue, now, pass } = await open({ perEndpoint: 1 });
      const first = makeEvent(now(), { type: "key.issued", account: "acme" });
      await queue.add(first, ["we_a", "we_b"]);
      await pass(unit);
      const since = now();
      await pass(unit);
      await queue.add(makeEvent(now(), { type: "key.revoked", account: "globex" }), ["we_c"]);
      await pass(unit);
      await queue.add(makeEvent(now(), { type: "key.issued", account: "acme" }), ["we_a"]);
      for (const claim of await claimAll(queue))
        if (claim.delivery.endpoint !== "we_b") await queue.settle(claim, ok(now()));

      const show = async (query: Partial<Parameters<DeliveryQueue["list"]>[0]>): Promise<string[]> => {
        const found = await queue.list({ limit: 10, ...query });
        expect(found.map(({ createdAt }) => createdAt)).toEqual(
          found.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a),
        );
        return found.map(({ endpoint, state, type }) => `${endpoint} ${state} ${type}`);
      };
      const [last, third, ...oldest] = await show({});
      expect([last, third]).toEqual(["we_a waiting key.issued", "we_c delivered key.revoked"]);
      expect(oldest.toSorted()).toEqual(["we_a delivered key.issued", "we_b waiting key.issued"]);
      expect(await show({ limit: 1 })).toEqual([last]);
      expect(await show({ limit: 2 })).toEqual([last, third]);
      expect(await show({ account: "globex" })).toEqual([third]);
      expect(await show({ account: "nobody" })).toEqual([]);
      expect(await show({ endpoint: "we_a" })).toEqual([last, "we_a delivered key.issued"]);
      expect(await show({ endpoint: "we_a", limit: 1 })).toEqual([last]);
      expect((await show({ event: first.id })).toSorted()).toEqual(oldest.toSorted());
      expect(await show({ type: "key.revoked" })).toEqual([third]);
      expect(await show({ state: "waiting" })).toEqual([last, "we_b waiting key.issued"]);
      expect(await show({ state: "delivered" })).toEqual([third, "we_a delivered key.issued"]);
      expect(await show({ state: "failed" })).toEqual([]);
      expect(await show({ since })).toEqual([last, third]);
      expect(await show({ since, account: "acme" })).toEqual([last]);
    });

    test("reports how many wait, and since when the oldest does", async () => {
      const { queue, now, pass } = await open();
      const [oldest] = await queue.add(makeEvent(now()), ["we_a"]);
      await pass(unit);
      const [other] = await queue.add(makeEvent(now()), ["we_b"]);
      expect(await queue.stats()).toEqual({ depth: 2, oldestAt: oldest?.since });
      const claims = await claimAll(queue);
      expect((await queue.stats()).depth).toBe(2);
      const claim = claims.find(({ delivery }) => delivery.id === oldest?.id) as Claim;
      await queue.settle(claim, ok(now()));
      expect(await queue.stats()).toEqual({ depth: 1, oldestAt: other?.since });
      await pass(unit);
      const anew = await queue.redeliver(claim.delivery.id);
      expect(await queue.stats()).toEqual({ depth: 2, oldestAt: other?.since });
      expect(anew?.since).toBeGreaterThan(other?.since ?? Infinity);
    });

    test("wakes subscribers, and only those", async () => {
      const { queue, now } = await open();
      let woken = 0;
      const stop = queue.onWake(() => {
        woken += 1;
      });
      const wakes = async (act: () => Promise<unknown>): Promise<void> => {
        woken = 0;
        await act();
        await vi.waitFor(() => expect(woken).toBeGreaterThan(0), { timeout: 60_000 });
      };
      await wakes(() => queue.add(makeEvent(now()), ["we_a"]));
      const claim = await claimOne(queue);
      await queue.settle(claim, ok(now()));
      await wakes(() => queue.redeliver(claim.delivery.id));
      await queue.hold("we_a", Infinity);
      await wakes(() => queue.hold("we_a", 0));
      await wakes(() => queue.resetHealth("we_a"));
      stop();
      woken = 0;
      await queue.add(makeEvent(now()), ["we_a"]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(woken).toBe(0);
    });

    describe("pruning", () => {
      const reason = "It could not be delivered in time.";
      async function prune(queue: DeliveryQueue, lifetimeMs: number, keptMs: number): Promise<void> {
        for (let turn = 0; turn < 1_000; turn++)
          if (await queue.prune({ lifetimeMs, keptMs, reason })) return;
        throw new Error("prune never ends");
      }

      test("fails what has waited too long, and not before", async () => {
        const { queue, now, pass } = await open();
        const [old] = await queue.add(makeEvent(now()), ["we_a"]);
        await pass(5 * unit);
        await queue.add(makeEvent(now()), ["we_a"]);
        await prune(queue, 8 * unit, 1_000 * unit);
        expect((await queue.stats()).depth).toBe(2);
        await pass(5 * unit);
        await prune(queue, 8 * unit, 1_000 * unit);
        expect((await queue.stats()).depth).toBe(1);
        expect(await queue.get(old?.id ?? "")).toMatchObject({ state: "failed", reason, attempts: 0 });
        const anew = await queue.redeliver(old?.id ?? "");
        expect(anew).toMatchObject({ state: "waiting", id: old?.id });
        await prune(queue, 8 * unit, 1_000 * unit);
        expect(await queue.get(old?.id ?? "")).toMatchObject({ state: "waiting" });
      });

      test("handles a great many", async () => {
        const { queue, now, pass } = await open();
        const endpoints = Array.from({ length: 700 }, (_, n) => `we_${n}`);
        await queue.add(makeEvent(now()), endpoints);
        await pass(3 * unit);
        await prune(queue, 2 * unit, 1_000 * unit);
        expect(await queue.stats()).toEqual({ depth: 0 });
        expect(await queue.list({ state: "failed", limit: 1_000 })).toHaveLength(700);
      });

      test("forgets what ended long ago, and keeps what waits", async () => {
        const { queue, now, pass } = await open();
        const event = makeEvent(now());
        const [gone] = await queue.add(event, ["we_a"]);
        await queue.settle(await claimOne(queue), ok(now()));
        const [waiting] = await queue.add(makeEvent(now()), ["we_held"]);
        await queue.hold("we_held", Infinity);
        await pass(5 * unit);
        const [kept] = await queue.add(makeEvent(now()), ["we_a"]);
        await queue.settle(await claimOne(queue), ok(now()));
        await pass(5 * unit);
        await prune(queue, 1_000 * unit, 8 * unit);
        expect(await queue.get(gone?.id ?? "")).toBeUndefined();
        expect(await queue.redeliver(gone?.id ?? "")).toBeUndefined();
        expect(await queue.get(kept?.id ?? "")).toMatchObject({ state: "delivered" });
        expect((await queue.list({ limit: 10 })).map(({ id }) => id)).toEqual([kept?.id, waiting?.id]);
      });
    });

    test("keeps all of it", async (context) => {
      const under = await open({ circuit: { after: 2, everyMs: 10_000 * unit } });
      const { queue, now, pass, reopen } = under;
      if (reopen === undefined) return context.skip("nothing survives");
      const once = { name: "key.expiring:key_1:7d", until: now() + 10_000 * unit };
      const event = makeEvent(now());
      await queue.add(event, ["we_ok", "we_retry", "we_held"], once);
      await queue.hold("we_held", Infinity);
      const at = now();
      for (const claim of await claimAll(queue)) {
        if (claim.delivery.endpoint === "we_ok") await queue.settle(claim, ok(at));
        else await queue.settle(claim, retry(at, 1, at + 3 * unit));
      }
      const known = makeEvent(now());
      await queue.add(known, ["we_anew"]);
      const claim = await claimOne(queue);
      await queue.settle(claim, ok(at));
      await queue.redeliver(claim.delivery.id);
      const before = await queue.list({ limit: 10 });
      const details = await Promise.all(before.map(({ id }) => queue.get(id)));

      const again = await reopen();
      expect(await again.list({ limit: 10 })).toEqual(before);
      expect(await Promise.all(before.map(({ id }) => again.get(id)))).toEqual(details);
      expect(await again.health("we_retry")).toEqual({ failures: 1, failingSince: at });
      expect(await again.stats()).toMatchObject({ depth: 3 });
      expect(await again.add(makeEvent(now()), ["we_a"], once)).toEqual([]);
      expect(await again.add(event, ["we_a"])).toEqual([]);
      await pass(4 * unit);
      const claims = await claimAll(again);
      expect(claims.map(({ delivery }) => delivery.endpoint).toSorted()).toEqual(["we_anew", "we_retry"]);
      for (const one of claims) await again.settle(one, ok(now(), 2));
      await again.hold("we_held", 0);
      const held = await claimOne(again);
      expect(held).toMatchObject({ body: event.body, delivery: { endpoint: "we_held" } });
    });
  });
}
