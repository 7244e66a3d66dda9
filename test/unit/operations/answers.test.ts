import { expect, test } from "vitest";
import { lazy } from "../../../src/lib/lazy.ts";
import { loadOperations } from "../../../src/operations/index.ts";
import type { Operation } from "../../../src/operations/operation.ts";
import { createBackups } from "../../../src/services/transfer/backup.ts";
import { createRandom, createTestOperator, createTestOutbox, start } from "../services/setup.ts";
import { openTestStore } from "../../support/store.ts";
import { requireDeclared } from "../../support/require-declared.ts";
import { testRuntime } from "../../support/runtime.ts";

const operations = await loadOperations();

const person = { issuer: "https://id.example.com", subject: "42", name: "Alice" };

test("each operation answers what its output describes, and publishes the events that it names", async () => {
  let time = start;
  const runtime = testRuntime({ now: () => time, random: createRandom() });
  const { store } = await openTestStore({ runtime });
  const outbox = createTestOutbox(store, runtime.now);
  const published = new Set<string>();
  const answered = new Set<string>();
  const { publisher } = outbox;
  const admin = createTestOperator({
    store,
    outbox: {
      ...outbox,
      publisher: {
        publish(type, ...rest) {
          published.add(type);
          return publisher.publish(type, ...rest);
        },
      },
    },
    runtime,
    backups: lazy(async () => createBackups({ store, runtime, release: "1.2.3" })),
    onAnswer(operation, answer) {
      requireDeclared(operation, answer);
      answered.add(operation.name);
    },
  });
  const events = new Map<string, Set<string>>();
  const call: typeof admin.call = async (name, args) => {
    time += 1000;
    published.clear();
    const answer = await admin.call(name, args);
    const known = events.get(name) ?? new Set();
    for (const type of published) known.add(type);
    events.set(name, known);
    return answer;
  };

  for (const name of ["ci", "old"]) await call("accounts.create", { name, plan: "pro" });
  const endpoint = await call("webhooks.add", {
    account: "ci",
    url: "http://127.0.0.1:9/",
    description: "bot",
  });
  await call("accounts.set", { name: "ci", plan: "team", limit: 20_000 });
  const { id } = await call("keys.issue", { account: "ci", name: "gitlab", expires: "90d" });
  const rotated = await call("keys.rotate", { id, grace: "1h" });
  for (const account of [undefined, "ci"]) await call("keys.list", { account });
  await call("keys.show", { id });
  for (const key of [rotated.key, "unknown"]) await call("keys.check", { key });
  await call("keys.revoke", { id, reason: "leaked" });
  await call("keys.revokeAll", { account: "ci" });
  await call("keys.issue", { account: "ci" });
  await call("accounts.set", { name: "ci", plan: "free", revokeKeys: true });
  await call("accounts.disable", { name: "ci" });
  await call("accounts.enable", { name: "ci" });
  await call("accounts.show", { name: "ci" });
  await call("accounts.list", {});
  for (const first of [0, 1, 2]) await call("accounts.page", { first });

  const login = await call("login", { account: "ci" });
  for (const code of [login.code, "wrong"]) await call("sessions.check", { code });
  const begun = await call("sessions.begin", { code: login.code });
  const opened = await call("sessions.open", { person, account: "ci" });
  await call("sessions.open", { person, operator: true });
  await call("sessions.show", { id: opened.id });
  await call("sessions.revoke", { id: begun.id });
  await call("sessions.list", {});
  await call("sessions.revokeAll", { person });

  const { delivery } = await call("webhooks.test", { id: endpoint.id });
  await call("webhooks.deliveries", { account: "ci" });
  await call("webhooks.delivery", { id: delivery });
  await call("webhooks.redeliver", { id: delivery });
  await call("webhooks.recover", { id: endpoint.id, since: "1h" });
  await call("webhooks.rotate", { id: endpoint.id });
  await call("webhooks.pause", { id: endpoint.id });
  await call("webhooks.resume", { id: endpoint.id });
  await call("webhooks.show", { id: endpoint.id });
  await call("webhooks.list", {});
  await call("webhooks.remove", { id: endpoint.id });

  await call("limits.reset", { account: "ci" });
  await call("usage", {});
  for (const by of ["account", "key", "tool", "hour", "day"] as const) await call("usage.history", { by });
  await call("usage.reports", { since: "2h" });
  await call("audit.list", {});
  await call("audit.verify", {});
  const backup = await call("backup.begin", {});
  await call("backup.next", { id: backup.id });
  await call("backup.end", { id: backup.id });
  await call("keys.issue", { account: "old" });
  await call("accounts.delete", { name: "old", revokeKeys: true });

  const all: readonly Operation[] = operations;
  expect([...answered].toSorted()).toEqual(all.map(({ name }) => name).toSorted());
  for (const { name, events: declared = [] } of all)
    expect([...(events.get(name) ?? [])].toSorted(), name).toEqual([...declared].toSorted());
});

test("an answer with a field more or less is not what the output describes", () => {
  const [create] = operations as readonly Operation[];
  const view = {
    name: "a",
    plan: "pro",
    limit: 1000,
    disabled: false,
    createdAt: "2026-11-21T12:00:00.000Z",
  };
  const { createdAt: _createdAt, ...less } = view;
  expect(() => requireDeclared(create as Operation, view)).not.toThrow();
  for (const wrong of [less, { ...view, hash: "h" }])
    expect(() => requireDeclared(create as Operation, wrong)).toThrow("accounts.create");
});
