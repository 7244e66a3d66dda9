import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { StoreError } from "../../src/storage/errors.ts";
import { openStore, type Store, type StoreOptions } from "../../src/storage/storage.ts";
import { testRuntime } from "./runtime.ts";

export interface Opened {
  store: Store;
  errors: StoreError[];
}

/**
 * A store that is closed when the test ends; collects the errors that it reports. It is in memory unless the options name another driver; those
 * of Redis come from `test/system/storage/drivers.ts`.
 */
export async function openTestStore(options: Partial<StoreOptions> = {}): Promise<Opened> {
  const errors: StoreError[] = [];
  const store = await openStore({
    driver: "memory",
    path: options.driver === "file" && options.path === undefined ? makeFolder() : "",
    runtime: testRuntime({ now: Date.now }),
    onError: (error) => void errors.push(error),
    ...options,
  });
  onTestFinished(() => store.close());
  return { store, errors };
}

/** Makes an empty folder that is removed when the test ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "penknife-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
