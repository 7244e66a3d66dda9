import { describe, expect, test } from "vitest";
import { openLiveSurface } from "./live-surface.ts";

const fields = `id event type account endpoint state attempts createdAt nextAt endedAt reason body
  log { number at durationMs outcome status error excerpt }`;
const list = `query ($account: ID, $endpoint: ID, $event: ID, $type: EventType, $state: DeliveryState, $since: String, $first: Int! = 50) {
  deliveries(account: $account, endpoint: $endpoint, event: $event, type: $type, state: $state, since: $since, first: $first) { ${fields} }
}`;
const testOne =
  "mutation ($id: ID!) { testWebhookEndpoint(id: $id) { event sending delivery { id state body } } }";

async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise((resolve) => setTimeout(resolve, 1));
}

async function open() {
  const surface = await openLiveSurface();
  const queue = await surface.store.deliveries();
  const add = async (account = "acme") =>
    ((await surface.admin.call("webhooks.add", { account, url: "http://127.0.0.1:9/" })) as { id: string })
      .id;
  const settle = async (state: "delivered" | "failed") => {
    const [claim] = await queue.claim({ count: 1, leaseMs: 60_000 });
    if (claim === undefined) throw new Error("nothing is due");
    const outcome = state === "delivered" ? ("ok" as const) : ("refused" as const);
    const attempt = {
      number: claim.delivery.attempts + 1,
      at: Date.now(),
      durationMs: 12.5,
      outcome,
      status: 418,
      excerpt: "No.",
    };
    await queue.settle(claim, {
      state,
      attempt,
      ...(state === "failed" && { reason: "It is not retried." }),
    });
  };
  return { ...surface, queue, add, settle };
}

describe("deliveries", () => {
  test("are read in pages, each after a delivery of the same account", async () => {
    const { add, ask, get } = await open();
    const endpoint = await add();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      ids.unshift((await get("session", testOne, { id: endpoint })).testWebhookEndpoint.delivery.id);
      await nextMillisecond();
    }
    const page = "query ($after: ID) { deliveries(first: 2, after: $after) { id } }";
    expect((await ask("session", page)).data.deliveries).toEqual([{ id: ids[0] }, { id: ids[1] }]);
    expect((await ask("session", page, { after: ids[1] })).data.deliveries).toEqual([{ id: ids[2] }]);
    expect((await ask("session", page, { after: ids[2] })).data.deliveries).toEqual([]);
    const foreign = (await get("operator", testOne, { id: await add("other") })).testWebhookEndpoint.delivery
      .id;
    for (const after of ["dlv_none", foreign])
      expect((await ask("session", page, { after })).errors).toMatchObject([{ code: "not_found" }]);
    expect((await ask("operator", page, { after: foreign })).data.deliveries).toMatchObject([
      { id: ids[0] },
      { id: ids[1] },
    ]);
  });

  test("one that is pruned meanwhile does not affect the others", async () => {
    const { add, admin, ask, get } = await open();
    const endpoint = await add();
    const gone = (await get("session", testOne, { id: endpoint })).testWebhookEndpoint.delivery.id;
    await nextMillisecond();
    const there = (await get("session", testOne, { id: endpoint })).testWebhookEndpoint.delivery.id;
    const { perform } = admin;
    admin.perform = async (operation, args, ...rest) => {
      const isGone = operation === "webhooks.delivery" && (args as { id: string }).id === gone;
      return perform(operation, isGone ? { id: "dlv_none" } : args, ...rest);
    };
    const { data, errors } = await ask("session", "{ deliveries { id body log { number } } }");
    expect(data.deliveries).toMatchObject([
      { id: there, log: [] },
      { id: gone, body: null, log: null },
    ]);
    expect(errors).toMatchObject([{ code: "not_found" }, { code: "not_found" }]);
  });

  test("are shown with attempts and body on request", async () => {
    const { add, get, settle } = await open();
    const endpoint = await add();
    const { testWebhookEndpoint: sent } = await get("session", testOne, { id: endpoint });
    expect(sent).toMatchObject({ sending: "HERE", delivery: { state: "WAITING" } });
    expect(JSON.parse(sent.delivery.body)).toMatchObject({
      id: sent.event,
      type: "webhook.test",
      account: "acme",
    });
    await settle("failed");
    const { deliveries } = await get("session", list);
    expect(deliveries).toMatchObject([
      {
        id: sent.delivery.id,
        event: sent.event,
        type: "WEBHOOK_TEST",
        account: "acme",
        endpoint,
        state: "FAILED",
        attempts: 1,
        nextAt: null,
        reason: "It is not retried.",
        body: sent.delivery.body,
        log: [{ number: 1, durationMs: 12.5, outcome: "REFUSED", status: 418, error: null, excerpt: "No." }],
      },
    ]);
    const one = `query ($id: ID!) { delivery(id: $id) { ${fields} } }`;
    expect(await get("session", one, { id: sent.delivery.id })).toEqual({ delivery: deliveries[0] });
    const headers = `query ($id: ID!) { delivery(id: $id) { log { at headers { name value } } } }`;
    const [attempt] = (await get("session", headers, { id: sent.delivery.id })).delivery.log;
    expect(
      Object.fromEntries(attempt.headers.map(({ name, value }: Record<string, string>) => [name, value])),
    ).toEqual({
      "content-type": "application/json",
      "x-event-id": sent.event,
      "x-event-type": "webhook.test",
      "x-delivery-id": sent.delivery.id,
      "x-attempt": "1",
      "webhook-id": sent.event,
      "webhook-timestamp": String(Math.floor(Date.parse(attempt.at) / 1000)),
    });
  });

  test("are filtered, newest first", async () => {
    const { add, get, settle, store } = await open();
    const [first, second] = [await add(), await add()];
    const others = await add("other");
    for (const id of [first, second, first]) {
      await get("session", testOne, { id });
      // Deliveries of one millisecond have no order.
      await nextMillisecond();
    }
    await get("other", testOne, { id: others });
    await settle("delivered");
    const all = async (variables = {}, who: "session" | "operator" = "session") =>
      (await get(who, list, variables)).deliveries as {
        id: string;
        endpoint: string;
        event: string;
        state: string;
      }[];
    const own = await all();
    expect(own.map(({ endpoint }) => endpoint)).toEqual([first, second, first]);
    expect(await all({ first: 1 })).toEqual(own.slice(0, 1));
    expect(await all({ endpoint: second })).toEqual(own.slice(1, 2));
    expect(await all({ event: own[2]?.event })).toEqual(own.slice(2));
    expect(await all({ state: "DELIVERED" })).toEqual(own.filter(({ state }) => state === "DELIVERED"));
    expect(await all({ type: "KEY_ISSUED" })).toEqual([]);
    expect(await all({ since: "1h" })).toEqual(own);
    expect(await all({ since: "2090-01-01T00:00:00Z" }).catch(() => "refused")).toEqual("refused");
    // Hidden from acme, and listed for the operator.
    expect(await all({ endpoint: others })).toEqual([]);
    expect(await all({}, "operator")).toHaveLength(4);
    expect(await all({ account: "other" }, "operator")).toHaveLength(1);
    expect(await (await store.deliveries()).stats()).toMatchObject({ depth: 3 });
  });

  test.each([
    [{ first: 0 }, "invalid_input", "/first"],
    [{ first: 1001 }, "invalid_input", "/first"],
    [{ since: "yesterday" }, "invalid_input", "/since"],
    [{ endpoint: "whsec_junk" }, "invalid_input", "/endpoint"],
    [{ account: "other" }, "forbidden", undefined],
  ])("%o is refused with %s, with its place", async (variables, code, pointer) => {
    const { ask } = await open();
    expect((await ask("session", list, variables)).errors).toMatchObject([
      { code, ...(pointer !== undefined && { pointer }) },
    ]);
  });

  test("are redelivered, one or all that have failed", async () => {
    const { add, get, settle } = await open();
    const id = await add();
    for (let n = 0; n < 3; n++) {
      await get("session", testOne, { id });
      await settle("failed");
    }
    const { deliveries } = await get("session", list);
    const redeliver = "mutation ($id: ID!) { redeliver(id: $id) { id state attempts log { number } } }";
    expect(await get("session", redeliver, { id: deliveries[0].id })).toEqual({
      redeliver: { id: deliveries[0].id, state: "WAITING", attempts: 0, log: [{ number: 1 }] },
    });
    const recover =
      'mutation ($id: ID!) { recoverDeliveries(endpoint: $id, since: "1h") { endpoint redelivered more } }';
    expect(await get("session", recover, { id })).toEqual({
      recoverDeliveries: { endpoint: id, redelivered: 2, more: false },
    });
  });

  test("of another account are not found, with the same message as missing ones", async () => {
    const { add, ask, get } = await open();
    const { testWebhookEndpoint: sent } = await get("other", testOne, { id: await add("other") });
    for (const document of [
      "query ($id: ID!) { delivery(id: $id) { id } }",
      "mutation ($id: ID!) { redeliver(id: $id) { id } }",
    ]) {
      const [others, missing] = await Promise.all(
        [sent.delivery.id, `dlv_${"0".repeat(36)}`].map(
          async (id) => (await ask("session", document, { id })).errors,
        ),
      );
      expect(others).toMatchObject([{ code: "not_found" }]);
      expect(others).toEqual(missing);
      await get("operator", document, { id: sent.delivery.id });
    }
  });
});
