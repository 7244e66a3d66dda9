import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { DeliveryQueue } from "../../../../src/storage/deliveries/delivery-queue.ts";
import type { StoreError } from "../../../../src/storage/errors.ts";
import { openQueue } from "../../../support/history.ts";
import { testRuntime } from "../../../support/runtime.ts";

export interface OpenedQueue {
  queue: DeliveryQueue;
  errors: StoreError[];
  notices: string[];
}

/** Opens a queue on the files of a data folder, closed when the test ends; collects its reports. */
export async function openOn(
  data: string,
  options: Partial<Parameters<typeof openQueue>[1]> = {},
): Promise<OpenedQueue> {
  const errors: StoreError[] = [];
  const notices: string[] = [];
  const queue = await openQueue(data, {
    runtime: testRuntime({ now: Date.now, random: (size) => randomBytes(size) }),
    perEndpoint: 8,
    circuit: { after: 5, everyMs: 60_000 },
    onError: (error) => void errors.push(error),
    onNotice: (_, message) => void notices.push(message),
    ...options,
  });
  onTestFinished(() => queue.close());
  return { queue, errors, notices };
}

/** The files of the journal, in order. */
export const journalOf = (data: string): string[] =>
  readdirSync(join(data, "webhooks"))
    .filter((name) => /^queue-\d+\.log$/.test(name))
    .toSorted()
    .map((name) => join(data, "webhooks", name));
