import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { Store } from "../../../../src/storage/storage.ts";
import { noCounts } from "../../../../src/storage/usage/usage-store.ts";
import { type KindName, kindNames } from "../../../../src/services/transfer/kinds.ts";
import { createParts, type Entry, type Parts } from "../../../../src/services/transfer/parts.ts";
import { account, endpoint, inbox, key, login, session } from "../../../support/records.ts";
import { testRuntime } from "../../../support/runtime.ts";

const hour = 3_600_000;

export const partsOf = (store: Store, now = Date.now): Parts =>
  createParts({ store, runtime: testRuntime({ now, random: (size) => randomBytes(size) }) });

export const keyId = (n: number): string => n.toString(16).padStart(20, "0");

/** Some of everything that a store can hold, and more keys than are read or written at once. */
export async function fill(store: Store, keys = 70): Promise<void> {
  await store.accounts.set("acme", account("acme", { plan: "team", limit: 25_000 }));
  await store.accounts.set("other", account("other", { disabled: true }));
  for (let n = 0; n < keys; n++) {
    const changes =
      n % 3 === 0 ? { revokedAt: "2026-11-21T01:00:00.000Z", revokeReason: 'é ☃ \\ "' } : { name: `n${n}` };
    await store.keys.set(keyId(n), key(keyId(n), changes));
  }
  await store.endpoints.set("0".repeat(24), endpoint("0".repeat(24)));
  await store.endpoints.set(
    "1".repeat(24),
    endpoint("1".repeat(24), {
      secret: "sealed:v1:01234567:bm90IGEgc2VjcmV0IG9mIGFueWJvZHkncyBhdCBhbGwgLSByZWFsbHk",
      events: ["key.issued", "limit.reached"],
      state: "disabled",
      disabledReason: "gone",
      disabledAt: "2026-11-21T02:00:00.000Z",
    }),
  );
  await store.inboxes.set("2".repeat(32), inbox("2".repeat(32)));
  await store.counters.consume("account:acme", 41);
  await store.counters.consume("ip:7f000001", 3);
  // Records and counters that are not copied.
  await store.sessions.set(keyId(7), session(keyId(7)));
  await store.logins.set(keyId(8), login(keyId(8)));
  await store.counters.consume(`session:${keyId(7)}`, 5);
  const usage = await store.usage();
  const now = Date.now();
  for (const [index, ago] of [80 * 24, 5, 0].entries()) {
    const start = Math.floor(now / hour - ago) * hour;
    await usage.add({
      id: `batch${index}`,
      hour: start,
      rows: ["json-formatter", "hash-generator"].map((tool) => ({
        ...noCounts(),
        account: "acme",
        key: `key_${keyId(1)}`,
        tool,
        ok: index + 2,
        inputBytes: 1000,
        micros: 12_345,
      })),
    });
  }
  const uses = await store.keyUses();
  await uses.put(new Map([1, 2].map((n) => [`key_${keyId(n)}`, (29_000_000 + n) * 60_000])));
  const trail = await store.audit();
  for (let n = 0; n < 5; n++) {
    await trail.append({
      actor: "cli:test",
      from: "here pid 1",
      act: "keys.issue",
      detail: { name: `é${n}` },
      result: "done",
    });
  }
}

/** The end of a window in ms since 1970; equal to ends less than 10 s away, because Redis returns the time left. */
class WindowEnd {
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }
}

expect.addEqualityTesters([
  (one, other) =>
    one instanceof WindowEnd && other instanceof WindowEnd ? Math.abs(one.at - other.at) < 10_000 : undefined,
]);

/** The whole content, with ends of windows that can differ by rounding. */
export async function contents(parts: Parts): Promise<Record<KindName, [string, unknown][]>> {
  const all = {} as Record<KindName, [string, unknown][]>;
  for (const kind of kindNames) {
    all[kind] = [];
    for await (const entry of parts[kind].entries() as AsyncIterable<Entry<unknown>>) {
      const value = "value" in entry ? entry.value : entry.damaged;
      const comparable =
        kind === "window"
          ? { ...(value as object), resetAt: new WindowEnd((value as { resetAt: number }).resetAt) }
          : value;
      all[kind].push([entry.id, comparable]);
    }
  }
  return all;
}
