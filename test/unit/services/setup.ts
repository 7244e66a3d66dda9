import { createHash } from "node:crypto";
import { expect } from "vitest";
import { createAccounts } from "../../../src/services/access/accounts.ts";
import { type Admin, createAdmin } from "../../../src/operations/admin.ts";
import { createOperator, type OperatorDeps } from "../../../src/operations/operator.ts";
import { createAuth } from "../../../src/services/access/auth.ts";
import { createKeys } from "../../../src/services/access/keys.ts";
import { createLimits } from "../../../src/services/access/limits.ts";
import { createSessions } from "../../../src/services/access/sessions/sessions.ts";
import type { Store, StoreOptions } from "../../../src/storage/storage.ts";
import { createOutbox, type Outbox, type OutboxDeps } from "../../../src/services/webhooks/outbox.ts";
import { requireDeclared } from "../../support/require-declared.ts";
import { openTestStore } from "../../support/store.ts";
import { testRuntime } from "../../support/runtime.ts";

export const start = Date.parse("2026-11-21T12:00:00.000Z");
export const day = 86_400_000;

export interface ServicesOptions extends Partial<StoreOptions> {
  maxKeyDays?: number;
  anonymous?: boolean;
}

/** Everything behind a request, over a store and a clock that the test moves. */
export async function createServices({ maxKeyDays = 0, anonymous = true, ...options }: ServicesOptions = {}) {
  const clock = { now: start };
  const now = () => clock.now;
  const { store, errors } = await openTestStore({ runtime: testRuntime({ now }), ...options });
  const keys = createKeys({ store, runtime: testRuntime({ now, random: createRandom() }), maxKeyDays });
  const accounts = createAccounts({ store, keys, runtime: testRuntime({ now, random: createRandom() }) });
  const limits = createLimits({ store, runtime: testRuntime({ now }) });
  const sessions = createSessions({ store, runtime: testRuntime({ now, random: createRandom() }) });
  const { monotonic = now } = options.runtime ?? {};
  const auth = createAuth({ store, anonymous, runtime: testRuntime({ now, monotonic }) });
  const outbox = createTestOutbox(store, now);
  const admin = createAdmin({
    accounts,
    keys,
    limits,
    sessions,
    outbox,
    sending: "nowhere",
    store,
    runtime: testRuntime({ now }),
    onAnswer: requireDeclared,
  });
  return {
    clock,
    store,
    errors,
    keys,
    accounts,
    limits,
    sessions,
    auth,
    outbox,
    sending: "nowhere" as const,
    admin,
  };
}

/** Endpoints may be at loopback addresses; an event that cannot be published fails the test. */
export const createTestOutbox = (
  store: Store,
  now: () => number,
  options: Partial<OutboxDeps["options"]> = {},
): Outbox =>
  createOutbox({
    store,
    options: { enabled: true, allowCidrs: ["127.0.0.0/8"], encryptionKey: "", ...options },
    runtime: testRuntime({ now, random: createRandom() }),
    onError: (error) => expect.unreachable((error as Error).message),
  });

/** The operations of a store, with keys of any age. Each answer is compared with its declaration. */
export const createTestOperator = (
  deps: Pick<OperatorDeps, "store" | "outbox" | "runtime"> & Partial<OperatorDeps>,
): Admin => createOperator({ sending: "nowhere", maxKeyDays: 0, onAnswer: requireDeclared, ...deps });

/** Different bytes each time, the same in each run. */
export function createRandom(): (count: number) => Uint8Array {
  let calls = 0;
  return (count) => {
    const bytes = createHash("shake256", { outputLength: count }).update(String(calls++)).digest();
    return new Uint8Array(bytes);
  };
}

/** The code and the message of the ToolError that was thrown. */
export async function refusalOf(
  work: () => unknown,
): Promise<{ code: string; message: string; pointer?: string }> {
  try {
    await work();
  } catch (error) {
    const { code, message, details } = error as {
      code: string;
      message: string;
      details?: { errors?: { pointer?: string }[] };
    };
    const pointer = details?.errors?.[0]?.pointer;
    return { code, message, ...(pointer !== undefined && { pointer }) };
  }
  throw new Error("nothing was refused");
}
