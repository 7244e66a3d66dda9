import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/storage/storage.ts";
import { redisOptions, sharedRedis } from "../storage/drivers.ts";
import { openTestStore } from "../../support/store.ts";
import { penknife, type Ran } from "./host.ts";
import { json, type Place, places, start } from "./places.ts";

const secretPattern = /whsec_[A-Za-z0-9+/]{43}=/;
// Public addresses, to which nothing is sent: only the test takes deliveries from the queue.
const url = "https://8.8.8.8/hooks";

interface Desk extends Place {
  /** The complete result of `add`. */
  add(words?: string): Promise<{ id: string; secret: string }>;
}

async function openDesk(open: () => Promise<Place>): Promise<Desk> {
  const place = await open();
  await place.admin("accounts create ci --plan pro");
  return {
    ...place,
    add: async (words = "") =>
      json(await place.admin(`webhooks add ${url} --account ci --json ${words}`.trim())) as never,
  };
}

const first = (ran: Ran): Record<string, unknown> => (json(ran).items as Record<string, unknown>[])[0] ?? {};

describe.each(places)("$name", ({ open }) => {
  test("prints a secret alone on stdout once, and masks it afterwards", async () => {
    const { admin } = await openDesk(open);
    const added = await admin(`webhooks add ${url} --account ci --events key.issued,limit.reached --put`);
    expect(added.status).toBe(0);
    expect(added.stdout).toMatch(new RegExp(`^${secretPattern.source}\n$`));
    expect(added.stderr).toMatch(/^we_[0-9a-f]{24} of ci signs with it\. .*store it now\.\n$/);
    const id = added.stderr.slice(0, 27);
    const masked = `whsec_…${added.stdout.trim().slice(-4)}`;
    const listed = await admin("webhooks list");
    expect(listed.stdout).toBe(
      `${id}\tci\tactive\tPUT\t${url}\tkey.issued,limit.reached\t${masked}\t2026-03-01T12:00:00.000Z\n`,
    );
    const shown = await admin(`webhooks show ${id}`);
    expect(shown.stdout).toContain(`secret\t${masked}\n`);
    expect(shown.stdout).toContain("failures\t0\n");
    const rotated = await admin(`webhooks rotate ${id} --grace 7d`);
    expect(rotated.stdout).toMatch(new RegExp(`^${secretPattern.source}\n$`));
    expect(rotated.stdout).not.toBe(added.stdout);
    expect(rotated.stderr).toContain("beside the old one until 2026-03-08T12:00:00.000Z");
    const trail = (await admin("audit --json")).stdout;
    for (const ran of [added, rotated]) expect(trail).not.toContain(ran.stdout.trim().slice(6));
  });

  test("pauses, resumes and removes an endpoint", async () => {
    const { admin, add } = await openDesk(open);
    const { id } = await add();
    expect(json(await admin(`webhooks pause ${id} --json`))).toMatchObject({ id, state: "paused" });
    expect((await admin(`webhooks list`)).stdout).toContain("\tpaused\t");
    expect(json(await admin(`webhooks resume ${id} --json`))).toMatchObject({ state: "active" });
    expect((await admin(`webhooks remove ${id}`)).status).toBe(0);
    expect(json(await admin("webhooks list --json"))).toEqual({ items: [] });
    expect(await admin(`webhooks remove ${id}`)).toMatchObject({ status: 2, stdout: "" });
  });

  test("queues the events of the operator's acts, and shows them", async () => {
    const { admin, add } = await openDesk(open);
    const { id: endpoint } = await add();
    await add("--events limit.reached");
    const key = (await admin("keys issue --account ci --name gitlab")).stdout.trim();
    const listed = await admin("webhooks deliveries --json");
    expect(json(listed).items).toHaveLength(1);
    const { id, event } = first(listed);
    expect(first(listed)).toMatchObject({
      type: "key.issued",
      account: "ci",
      endpoint,
      state: "waiting",
      attempts: 0,
    });
    const shown = json(await admin(`webhooks deliveries ${String(id)} --json`));
    const body = JSON.parse(shown["body"] as string) as { data: { key: { name: string } } };
    expect(body).toMatchObject({
      id: event,
      type: "key.issued",
      account: "ci",
      data: { key: { name: "gitlab" } },
    });
    expect(listed.stdout + JSON.stringify(shown)).not.toContain(key.slice(13));
    const plain = await admin(
      `webhooks deliveries --endpoint ${endpoint} --state waiting --type key.issued --since 1d`,
    );
    expect(plain.stdout).toMatch(new RegExp(`^${String(id)}\tkey.issued\tci\t${endpoint}\twaiting\t0\t`));
    expect((await admin("webhooks deliveries --state failed")).stdout).toBe("");
    expect(json(await admin(`webhooks redeliver ${String(id)} --json`))).toMatchObject({
      id,
      state: "waiting",
    });
    expect((await admin(`webhooks recover ${endpoint} --since 24h`)).stdout).toBe("0\n");
  });

  test.each([
    [`webhooks add ${url}`, /--account/],
    [`webhooks add --account ci`, /URL is missing/],
    [`webhooks add ${url} --account nobody`, /no account nobody/],
    [`webhooks add ${url} --account ci --events key.isued`, /Did you mean key\.issued\?/],
    [`webhooks add ${url} --account ci --events key.issued,`, /--events must be types/],
    ["webhooks add http://169.254.169.254/ --account ci", /not public \(link-local\).*webhooks\.allowCidrs/],
    ["webhooks add http://me:pass@8.8.8.8/ --account ci", /a user or a password/],
    ["webhooks show we_0", /no such endpoint/],
    ["webhooks deliveries dlv_0 --state failed", /not both/],
    ["webhooks deliveries --state lost", /--state must be waiting, delivered or failed/],
    ["webhooks deliveries --limit 0", /--limit must be/],
    ["webhooks deliveries --since tomorrow", /duration before now/],
    ["webhooks recover we_000000000000000000000000", /--since/],
    ["webhooks test we_000000000000000000000000", /no endpoint we_0/],
    ["webhooks nothing", /nothing/],
  ])("refuses %s with status 2", async (line, message) => {
    const { admin } = await openDesk(open);
    const ran = await admin(line);
    expect(ran.status).toBe(2);
    expect(ran.stderr).toMatch(message);
    expect(ran.stdout).toBe("");
  });
});

const [without, beside] = places as [(typeof places)[number], (typeof places)[number]];

test("a test without a server reports that it waits for one, and fails", async () => {
  const { admin, add } = await openDesk(without.open);
  const { id } = await add("--events key.issued");
  const ran = await admin(`webhooks test ${id}`);
  expect(ran).toMatchObject({ status: 1, stdout: "" });
  expect(ran.stderr).toMatch(/^No server runs on this store\. .*deliveries dlv_/);
  expect(first(await admin("webhooks deliveries --json"))).toMatchObject({
    type: "webhook.test",
    state: "waiting",
  });
});

/** Takes the next delivery and records an outcome, as a dispatcher does. */
async function settleNext(store: Store, outcome: "ok" | "retry"): Promise<void> {
  const queue = await store.deliveries();
  for (;;) {
    const [claim] = await queue.claim({ count: 1, leaseMs: 60_000 });
    if (claim === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      continue;
    }
    const status = outcome === "ok" ? 204 : 500;
    const attempt = {
      number: 1,
      at: 0,
      durationMs: 7,
      outcome,
      status,
      excerpt: "said\u001b[31m so",
    } as const;
    const state = outcome === "ok" ? "delivered" : "waiting";
    await queue.settle(claim, { attempt, state, ...(state === "waiting" && { nextAt: start + 3_600_000 }) });
    return;
  }
}

test.each([
  ["ok", 0, /^Delivered in 7 ms: status 204\. dlv_/, /^$/],
  ["retry", 1, /^$/, /^Not delivered: status 500 after 7 ms\. Response: "said.*31m so"\. penknife admin /],
] as const)(
  "a test beside a server waits for the first attempt: %s",
  async (outcome, status, stdout, stderr) => {
    const { admin, add, store } = await openDesk(beside.open);
    const { id } = await add();
    const [ran] = await Promise.all([admin(`webhooks test ${id}`), settleNext(store as Store, outcome)]);
    expect(ran.status).toBe(status);
    expect(ran.stdout).toMatch(stdout);
    expect(ran.stderr).toMatch(stderr);
    expect(ran.stderr).not.toContain("\u001b");
    const [again] = await Promise.all([
      admin(`webhooks test ${id} --json`),
      settleNext(store as Store, outcome),
    ]);
    expect(json(again)).toMatchObject({ delivered: outcome === "ok", attempt: { number: 1, durationMs: 7 } });
  },
);

test("with storage.encryptionKey no secret is readable in the folder; without it doctor and list report that", async () => {
  const key = "ab".repeat(32);
  const { admin, add, folder } = await openDesk(without.open);
  await add();
  const env = { PENKNIFE_STORAGE_ENCRYPTION_KEY: key };
  const sealed = json(await admin(`webhooks add ${url} --account ci --json`, { env })) as unknown as {
    id: string;
    secret: string;
  };
  expect(sealed.secret).toMatch(secretPattern);
  const { textsOf } = await import("../../support/stored-records.ts");
  const texts = [...textsOf(folder, "endpoints").values()];
  expect(texts.filter((text) => text.includes("sealed:v1:"))).toHaveLength(1);
  expect(texts.join("")).not.toContain(sealed.secret.slice(6, 30));
  expect(json(await admin(`webhooks show ${sealed.id} --json`, { env }))).toMatchObject({
    secret: `whsec_…${sealed.secret.slice(-4)}`,
  });
  expect(json(await admin(`webhooks show ${sealed.id} --json`))).toMatchObject({ secret: null });
  expect((await admin("webhooks list")).stdout).toContain("\tunreadable\t");
});

test("with Redis, each command sees what another published, and a test waits for the server that sends it", async () => {
  const redis = redisOptions((await sharedRedis()).url, { prefix: "cli-1:" });
  const env = {
    PENKNIFE_STORAGE_DRIVER: "redis",
    PENKNIFE_STORAGE_URL: redis.url,
    PENKNIFE_STORAGE_PREFIX: redis.prefix,
  };
  const admin = (line: string): Promise<Ran> => penknife(["admin", ...line.split(" ")], { env });
  await admin("accounts create ci --plan pro");
  const { id } = json(await admin(`webhooks add ${url} --account ci --json`));
  await admin("keys issue --account ci");
  expect(first(await admin("webhooks deliveries --json"))).toMatchObject({
    type: "key.issued",
    endpoint: id,
  });
  const { store } = await openTestStore({ driver: "redis", redis });
  await settleNext(store, "ok");
  const [ran] = await Promise.all([admin(`webhooks test ${String(id)}`), settleNext(store, "ok")]);
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Delivered in 7 ms/) });
});

test("with Redis, a test that no server sends asks whether one runs", async () => {
  const redis = redisOptions((await sharedRedis()).url, { prefix: "cli-2:" });
  const env = {
    PENKNIFE_STORAGE_DRIVER: "redis",
    PENKNIFE_STORAGE_URL: redis.url,
    PENKNIFE_STORAGE_PREFIX: redis.prefix,
  };
  const admin = (line: string): Promise<Ran> => penknife(["admin", ...line.split(" ")], { env });
  await admin("accounts create ci --plan pro");
  const { id } = json(await admin(`webhooks add ${url} --account ci --json`));
  const ran = await admin(`webhooks test ${String(id)}`);
  expect(ran).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(/no server runs, or/),
  });
});
