import { expect } from "vitest";
import { createAuth } from "../../../src/services/access/auth.ts";
import type { Caller } from "../../../src/services/audit/caller.ts";
import { createOperator } from "../../../src/operations/operator.ts";
import { createInboxes } from "../../../src/services/inbox/inboxes.ts";
import { createSeal } from "../../../src/storage/seal.ts";
import type { Store } from "../../../src/storage/storage.ts";
import { createOutbox } from "../../../src/services/webhooks/outbox.ts";
import { type drivers, optionsOf, redisOptions, sharedRedis } from "../storage/drivers.ts";
import { openTestStore } from "../../support/store.ts";
import { testRuntime } from "../../support/runtime.ts";

/** One process: a server, or a command. */
export function createProcess(store: Store) {
  const runtime = testRuntime();
  const deps = { store, runtime };
  const outbox = createOutbox({
    ...deps,
    options: { enabled: true, allowCidrs: ["127.0.0.0/8"], encryptionKey: "" },
    onError: (error) => expect.unreachable(String(error)),
  });
  const admin = createOperator({ ...deps, outbox, sending: "nowhere", maxKeyDays: 0 });
  const seal = createSeal({ key: "", random: runtime.random });
  return {
    store,
    auth: createAuth({ store, anonymous: true, runtime }),
    inboxes: createInboxes({ ...deps, seal, kept: { messages: 10, ms: 1e9, bytes: 1e6 } }),
    publisher: outbox.publisher,
    call: <View = { id: string; key: string }>(operation: string, args: object, caller?: Caller) =>
      admin.perform(operation, args, caller) as Promise<View>,
  };
}

export type Process = ReturnType<typeof createProcess>;

/** Two nodes and a command line on Redis; otherwise three users of the one process that has the store. */
export async function openProcesses(driver: (typeof drivers)[number]): Promise<[Process, Process, Process]> {
  const { store } = await openTestStore(await optionsOf(driver));
  if (driver !== "redis") return [createProcess(store), createProcess(store), createProcess(store)];
  const redis = redisOptions((await sharedRedis()).url);
  const open = async (isNode: boolean): Promise<Process> =>
    createProcess((await openTestStore({ driver, redis: { ...redis, isNode } })).store);
  return [await open(true), await open(true), await open(false)];
}

/** Runs two or more changes at once and returns `ok` or the code of each. */
export const outcomesOf = async (...changes: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(changes)).map((result) =>
    result.status === "fulfilled" ? "ok" : String((result.reason as { code?: string }).code),
  );
