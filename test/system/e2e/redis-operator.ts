import { randomFillSync } from "node:crypto";
import { openOperator } from "../../../src/operations/open-operator.ts";
import { toStoreOptions } from "../../../src/storage/store-options.ts";
import { openStore } from "../../../src/storage/storage.ts";
import { defaults } from "../../support/defaults.ts";
import { testRuntime } from "../../support/runtime.ts";

/** Performs one operation of the operator. */
export type Operate = <T>(operation: string, args?: object) => Promise<T>;

const caller = { actor: "cli:ops", from: "build-7 pid 1" };
const random = (size: number): Uint8Array => randomFillSync(new Uint8Array(size));
const ignore = (): void => {};

/**
 * Performs operations on a store in Redis as `penknife admin` does, in this process: a command takes a third of a second of
 * CPU time.
 */
export async function operateOn<T>(
  url: string,
  work: (operate: Operate) => Promise<T>,
  allowCidrs: readonly string[] = [],
): Promise<T> {
  const config = {
    ...defaults,
    storage: { ...defaults.storage, driver: "redis" as const, url },
    webhooks: { ...defaults.webhooks, allowCidrs },
  };
  const runtime = testRuntime({ monotonic: () => performance.now(), random, report: ignore });
  const store = await openStore(
    toStoreOptions(
      config,
      { runtime, pid: process.pid },
      { isNode: false, mayBegin: true, onNotice: ignore, onDegraded: ignore, onError: ignore },
    ),
  );
  const operator = openOperator({
    runtime,
    store,
    config,
    sending: "elsewhere",
    release: () => "1.0.0",
    onLost: ignore,
  });
  try {
    const admin = await operator.admin();
    return await work(
      async (operation, args = {}) => (await admin.perform(operation, args, caller)) as never,
    );
  } finally {
    await operator.close();
    await store.close();
  }
}
