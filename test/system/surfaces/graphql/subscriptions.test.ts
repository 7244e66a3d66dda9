import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { optionsOf, redisOptions, sharedRedis } from "../../storage/drivers.ts";
import { amount } from "../../../support/cases.ts";
import { toEvent } from "../../../unit/services/events/live/live-events.ts";
import { openLiveSurface, readAll, type Who } from "../../../unit/surfaces/graphql/live-surface.ts";

const events =
  "subscription ($account: ID, $types: [EventType!]) { events(account: $account, types: $types) { id type timestamp account data } }";
const usage =
  "subscription ($account: ID) { usage(account: $account) { account plan limit used remaining resetAt } }";
const deliveries =
  "subscription ($account: ID, $endpoint: ID) { deliveries(account: $account, endpoint: $endpoint) { id account endpoint state attempts log { number } } }";
const inboxEvents =
  "subscription ($id: ID!, $after: ID) { inboxEvents(id: $id, after: $after) { id event body } }";

type Surface = Awaited<ReturnType<typeof openLiveSurface>>;

/** A subscription that is read, and how to end it. */
async function open(surface: Surface, who: Who, query: string, variables: Record<string, unknown> = {}) {
  const { results, leave, refused } = await surface.subscribe(who, query, variables);
  if (results === undefined || leave === undefined) throw new Error(JSON.stringify(refused));
  return { reading: readAll(results), results, leave };
}

describe("events", () => {
  test("are sent to subscribers of the account and to the operator as to endpoints", async () => {
    const surface = await openLiveSurface();
    const { admin } = surface;
    const own = await open(surface, "key", events);
    const other = await open(surface, "other", events);
    const all = await open(surface, "operator", events);
    const one = await open(surface, "operator", events, { account: "other" });
    const revoked = await open(surface, "session", events, { types: ["KEY_REVOKED"] });
    const issued = (await admin.call("keys.issue", { account: "acme", name: "ci" })) as {
      id: string;
      key: string;
    };
    await admin.call("keys.revoke", { id: issued.id, reason: "leaked" });
    await admin.call("accounts.disable", { name: "other" });
    await expect.poll(() => all.reading.values).toHaveLength(3);
    const types = ({ reading }: typeof own) => reading.values.map((value) => value.events.type);
    expect(types(own)).toEqual(["KEY_ISSUED", "KEY_REVOKED"]);
    expect(types(other)).toEqual(["ACCOUNT_UPDATED"]);
    expect(types(one)).toEqual(["ACCOUNT_UPDATED"]);
    expect(types(all)).toEqual(["KEY_ISSUED", "KEY_REVOKED", "ACCOUNT_UPDATED"]);
    expect(types(revoked)).toEqual(["KEY_REVOKED"]);
    expect(own.reading.values[1].events).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      account: "acme",
      data: { key: { id: issued.id, name: "ci" }, reason: "leaked" },
    });
    expect(JSON.stringify(all.reading.values)).not.toContain(issued.key.slice(13));
  });

  test("of an empty list of types are refused", async () => {
    const { refused } = await (await openLiveSurface()).subscribe("key", events, { types: [] });
    const message = "Name event types, or omit types for all of them.";
    expect(refused).toMatchObject([{ code: "invalid_input", message, pointer: "/types" }]);
  });

  test("1,500 of them reach each reader, none lost, none duplicated, in order", async () => {
    const surface = await openLiveSurface();
    const readers = await Promise.all(
      ["key", "key", "operator"].map((who) => open(surface, who as Who, events)),
    );
    for (let n = 0; n < 1500; n++) {
      surface.live.publish("event", "acme", toEvent(n, "acme"));
      // As many as one operation of the operator can publish; readers have their turn in between.
      if (n % 500 === 499) await sleep(0);
      while (
        n % 500 === 499 &&
        readers.some(({ reading }) => reading.values.length <= n && reading.errors.length === 0)
      )
        await sleep(1);
    }
    for (const { reading } of readers) {
      expect(reading.errors).toEqual([]);
      expect(reading.values.map(({ events: { id } }) => id)).toEqual(
        Array.from({ length: 1500 }, (_, n) => `evt_${n}`),
      );
    }
  });

  test("a reader with 1,000 unread values gets overloaded and the end; others are unaffected", async () => {
    const surface = await openLiveSurface();
    const quick = await open(surface, "key", events);
    const slow = await surface.subscribe("key", events);
    for (let n = 0; n < 1500; n++) {
      surface.live.publish("event", "acme", toEvent(n, "acme"));
      if (n % 100 === 0) await sleep(1);
    }
    await expect.poll(() => quick.reading.values.length).toBe(1500);
    const late = readAll(slow.results as NonNullable<typeof slow.results>);
    await late.end;
    expect(late.errors).toMatchObject([{ code: "overloaded" }]);
    expect(late.values.length).toBeLessThan(1002);
    expect(quick.reading.errors).toEqual([]);
  });

  test.each(["return", "abort"])("listeners are freed at once by %s, also while they wait", async (way) => {
    const surface = await openLiveSurface();
    const { reading, results, leave } = await open(surface, "key", events);
    expect(surface.live.hasSubscribers("event", "acme")).toBe(true);
    if (way === "return") void results.return(undefined);
    else leave();
    expect(surface.live.hasSubscribers("event", "acme")).toBe(false);
    await reading.end;
    expect(reading.over).toBe(true);
  });

  test("a subscription that ended before it started holds nothing", async () => {
    const surface = await openLiveSurface();
    const { operations, live } = surface;
    const leaving = new AbortController();
    leaving.abort();
    const outcome = await operations.begin(
      { query: "subscription { events { id } }" },
      {
        ticket: { principal: { kind: "key", account: "acme" } },
        requestId: "r",
        ip: "::1",
        baseUrl: "",
        signal: leaving.signal,
        gone: true,
        mutation: true,
        subscription: true,
      },
    );
    if (outcome.kind === "stream") expect(await outcome.results.next()).toMatchObject({ done: true });
    expect(live.hasSubscribers("event", "acme")).toBe(false);
  });

  test("over Redis, changes of other nodes are sent too", async () => {
    const { url } = await sharedRedis();
    const redis = redisOptions(url);
    const [here, there] = [
      await openLiveSurface({ driver: "redis", redis }),
      await openLiveSurface({ driver: "redis", redis }),
    ];
    const { reading } = await open(here, "key", events);
    const ofDeliveries = await open(here, "session", deliveries);
    await there.admin.call("keys.issue", { account: "acme" });
    const { id } = (await there.admin.call("webhooks.add", {
      account: "acme",
      url: "http://127.0.0.1:9/",
    })) as { id: string };
    await there.admin.call("webhooks.test", { id });
    await expect
      .poll(() => reading.values.map((value) => value.events.type))
      .toEqual(["KEY_ISSUED", "WEBHOOK_TEST"]);
    await expect
      .poll(() => ofDeliveries.reading.values)
      .toMatchObject([{ deliveries: { endpoint: id, state: "WAITING" } }]);
  });
});

describe("usage", () => {
  test("is sent at the start, and whenever it has changed", async () => {
    const surface = await openLiveSurface();
    const { limits } = surface;
    const principal = { kind: "key", account: "acme", plan: "pro" } as const;
    const own = await open(surface, "key", usage);
    const all = await open(surface, "operator", usage);
    await expect
      .poll(() => own.reading.values)
      .toEqual([
        { usage: { account: "acme", plan: "PRO", limit: 1000, used: 0, remaining: 1000, resetAt: null } },
      ]);
    await expect.poll(() => all.reading.values).toHaveLength(2);
    // One step, which no tick of the subscription can split.
    await limits.consume(principal, 20);
    await expect.poll(() => own.reading.values[1]?.usage).toMatchObject({ used: 20, remaining: 980 });
    await expect
      .poll(() => all.reading.values.map((value) => [value.usage.account, value.usage.used]))
      .toEqual([
        ["acme", 0],
        ["other", 0],
        ["acme", 20],
      ]);
    own.leave();
    await own.reading.end;
    await limits.consume(principal, 1);
    await expect.poll(() => all.reading.values.length).toBe(4);
    expect(own.reading.values).toHaveLength(2);
  });

  test("ends with its account", async () => {
    const surface = await openLiveSurface();
    const { reading } = await open(surface, "operator", usage, { account: "acme" });
    await surface.admin.call("accounts.delete", { name: "acme" });
    await expect.poll(() => reading.over).toBe(true);
    expect(reading.errors).toMatchObject([{ code: "not_found" }]);
  });
});

describe("deliveries", () => {
  test("are sent at each step, and can be limited to one endpoint", async () => {
    const surface = await openLiveSurface();
    const { admin, store } = surface;
    const add = async () =>
      ((await admin.call("webhooks.add", { account: "acme", url: "http://127.0.0.1:9/" })) as { id: string })
        .id;
    const [first, second] = [await add(), await add()];
    const all = await open(surface, "session", deliveries);
    const one = await open(surface, "operator", deliveries, { account: "acme", endpoint: second });
    const other = await open(surface, "other", deliveries);
    for (const id of [first, second]) await admin.call("webhooks.test", { id });
    const queue = await store.deliveries();
    for (const claim of await queue.claim({ count: 2, leaseMs: 60_000 })) {
      const attempt = { number: 1, at: Date.now(), durationMs: 1, outcome: "ok" } as const;
      await queue.settle(claim, { state: "delivered", attempt });
    }
    const said = ({ reading }: typeof all) =>
      reading.values.map((value) => [
        value.deliveries.endpoint,
        value.deliveries.state,
        value.deliveries.log.length,
      ]);
    await expect
      .poll(() => said(one))
      .toEqual([
        [second, "WAITING", expect.any(Number)],
        [second, "DELIVERED", 1],
      ]);
    expect(said(all).map(([endpoint]) => endpoint)).toHaveLength(4);
    expect(other.reading.values).toEqual([]);
    expect((await surface.subscribe("other", deliveries, { endpoint: first })).refused).toMatchObject([
      { code: "not_found" },
    ]);
    const { id } = all.reading.values[0].deliveries;
    await admin.call("webhooks.redeliver", { id });
    await expect.poll(() => said(all).at(-1)?.slice(0, 2)).toEqual([first, "WAITING"]);
    await admin.call("webhooks.remove", { id: first });
    await expect.poll(() => said(all).at(-1)?.slice(0, 2)).toEqual([first, "FAILED"]);
  });
});

describe("inboxEvents", () => {
  async function openInbox(options: Parameters<typeof openLiveSurface>[0] = {}) {
    const surface = await openLiveSurface(options);
    const service = await surface.inbox?.open();
    if (service === undefined) throw new Error("there are no inboxes");
    const { record } = await service.inboxes.create("acme", {});
    const send = async (n: number) => {
      await service.receiver.receive(record, {
        method: "POST",
        query: "",
        rawHeaders: [],
        body: Buffer.from(`{"id":"e${n}"}`),
      });
    };
    return { surface, service, id: record.id, send };
  }
  type Read = { reading: ReturnType<typeof readAll> };
  const said = ({ reading }: Read) => reading.values.map((value) => Number(value.inboxEvents.event.slice(1)));

  test("sends each new message once", async () => {
    const { surface, id, send } = await openInbox();
    await send(0);
    const key = await open(surface, "key", inboxEvents, { id });
    const operator = await open(surface, "operator", inboxEvents, { id });
    for (let n = 1; n <= 30; n++) await send(n);
    await send(30);
    const numbers = Array.from({ length: 30 }, (_, n) => n + 1);
    await expect.poll(() => said(key)).toEqual(numbers);
    await expect.poll(() => said(operator)).toEqual(numbers);
    expect(key.reading.values[0].inboxEvents).toMatchObject({ body: '{"id":"e1"}' });
  });

  const messages = amount(120);
  test.each(["memory", "redis"] as const)(
    `%s: with the id of the last message nothing is lost over ${messages / 3} disconnects`,
    async (driver) => {
      const { surface, id, send } = await openInbox(await optionsOf(driver));
      await send(0);
      const heard: number[] = [];
      let sending = true;
      const sender = (async () => {
        for (let n = 1; n <= messages; n++) {
          await send(n);
          if (n % 3 === 0) await sleep(1);
        }
        sending = false;
      })();
      let after = (
        await surface.get(
          "key",
          "query ($id: ID!) { inbox(id: $id) { messages(first: 1) { pageInfo { endCursor } } } }",
          { id },
        )
      ).inbox.messages.pageInfo.endCursor as string;
      for (let breaks = 0; heard.at(-1) !== messages; breaks++) {
        const { results, refused } = await surface.subscribe("key", inboxEvents, { id, after });
        if (results === undefined) throw new Error(JSON.stringify(refused));
        for (let n = 0; n < 3 && heard.at(-1) !== messages; n++) {
          const { value } = await results.next();
          const { id: last, event } = (value as { data: { inboxEvents: { id: string; event: string } } }).data
            .inboxEvents;
          heard.push(Number(event.slice(1)));
          after = last;
        }
        await results.return(undefined);
        expect(breaks).toBeLessThan(400);
      }
      await sender;
      expect(sending).toBe(false);
      expect(heard).toEqual(Array.from({ length: messages }, (_, n) => n + 1));
    },
  );

  test.each(["return", "abort"])(
    "its listeners are freed at once by %s, and its inbox can be removed meanwhile",
    async (way) => {
      const { surface, id, send, service } = await openInbox();
      const store = await surface.store.inbox();
      let listeners = 0;
      const listen = store.onMessage;
      store.onMessage = (inbox, listener) => {
        listeners += 1;
        const end = listen(inbox, listener);
        return () => {
          listeners -= 1;
          end();
        };
      };
      const left = await open(surface, "key", inboxEvents, { id });
      const stays = await open(surface, "key", inboxEvents, { id });
      expect(listeners).toBe(2);
      if (way === "return") void left.results.return(undefined);
      else left.leave();
      expect(listeners).toBe(1);
      await left.reading.end;
      await send(1);
      await expect.poll(() => said(stays)).toEqual([1]);
      await service.inboxes.remove("acme", id);
      await expect.poll(() => stays.reading.over).toBe(true);
      expect(stays.reading.errors).toEqual([]);
      expect(listeners).toBe(0);
    },
  );

  test("of another account, or after an invalid message id, is refused", async () => {
    const { surface, id } = await openInbox();
    expect((await surface.subscribe("other", inboxEvents, { id })).refused).toMatchObject([
      { code: "not_found" },
    ]);
    expect((await surface.subscribe("key", inboxEvents, { id, after: "newest" })).refused).toMatchObject([
      { code: "invalid_input", pointer: "/after" },
    ]);
  });
});

test("missing accounts are refused to the operator, those of others to all other callers", async () => {
  const { subscribe } = await openLiveSurface();
  for (const query of [events, usage, deliveries]) {
    expect((await subscribe("operator", query, { account: "acmee" })).refused).toMatchObject([
      { code: "not_found" },
    ]);
    expect((await subscribe("session", query, { account: "other" })).refused).toMatchObject([
      { code: "forbidden" },
    ]);
    expect((await subscribe("anonymous", query)).refused).toMatchObject([{ code: "missing_key" }]);
  }
  expect((await subscribe("key", deliveries)).refused).toMatchObject([{ code: "forbidden" }]);
});
