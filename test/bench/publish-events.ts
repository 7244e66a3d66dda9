import { randomFillSync } from "node:crypto";
import { createPublisher } from "../../src/services/events/publish.ts";
import { openStore } from "../../src/storage/storage.ts";
import { createEndpointBook } from "../../src/services/webhooks/endpoint-book.ts";
import { testRuntime } from "../support/runtime.ts";

/**
 * A separate process, as a command of the operator is: enqueues this many events with `writers` concurrent writers and prints how long it
 * took. Each event is durable before its writer sends the next.
 */
export interface PublishTask {
  driver: "file" | "redis";
  /** For the file store. */
  path: string;
  /** For Redis. */
  url: string;
  prefix: string;
  account: string;
  count: number;
  writers: number;
}

export interface Publishing {
  seconds: number;
  deliveries: number;
}

const { driver, path, url, prefix, account, count, writers } = JSON.parse(
  process.argv[2] ?? "",
) as PublishTask;
const now = (): number => Date.now();
const random = (size: number): Uint8Array => randomFillSync(new Uint8Array(size));
const fail = (error: unknown): never => {
  throw error;
};
const store = await openStore({
  driver,
  path,
  runtime: testRuntime({ now, monotonic: () => performance.now(), random }),
  onError: fail,
  redis: {
    url,
    prefix,
    onStoreError: "share",
    isNode: false,
    mayBegin: false,
    onNotice: () => {},
    onDegraded: () => {},
  },
});
const book = createEndpointBook({ endpoints: store.endpoints, runtime: testRuntime({ now }) });
const publisher = createPublisher({
  store,
  endpointsOf: book.ofAccount,
  runtime: testRuntime({ now, random }),
  onError: fail,
});
await store.deliveries();

let left = count;
let deliveries = 0;
const began = performance.now();
await Promise.all(
  Array.from({ length: writers }, async () => {
    while (left-- > 0) {
      const made = await publisher.publish("account.updated", account, {
        change: "changed",
        account: { name: account, plan: "team", limit: 10_000 + left, disabled: false },
      });
      deliveries += made.deliveries.length;
    }
  }),
);
const result: Publishing = { seconds: (performance.now() - began) / 1000, deliveries };
await store.close();
process.stdout.write(`${JSON.stringify(result)}\n`);
