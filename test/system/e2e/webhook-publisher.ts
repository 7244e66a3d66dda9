import { defaults } from "../../support/defaults.ts";
import { randomFillSync } from "node:crypto";
import { flushCompileCache } from "node:module";
import { openStore } from "../../../src/storage/storage.ts";
import { createOutbox } from "../../../src/services/webhooks/outbox.ts";
import { startSending } from "../../../src/services/webhooks/start.ts";
import { testRuntime } from "../../support/runtime.ts";

/**
 * A process that publishes events to a store, several at once, and prints the number of each when it is accepted, until it
 * is killed. On a file store, which has one process, it also sends them with the server's dispatcher.
 */
export interface PublisherTask {
  driver: "file" | "redis";
  /** The folder, or the URL of Redis. */
  place: string;
  account: string;
  /** The number of the first event. */
  first: number;
  /** 0 publishes nothing. */
  writers: number;
  /** Milliseconds that each of them waits after an event. */
  pauseMs?: number;
}

// It is killed, and does not write it then.
flushCompileCache();

const {
  driver,
  place,
  account,
  first,
  writers,
  pauseMs = 10,
} = JSON.parse(process.argv[2] ?? "") as PublisherTask;
const options = {
  ...defaults.webhooks,
  allowCidrs: ["127.0.0.0/8"],
  encryptionKey: "",
  timeoutMs: 3000,
};
const now = (): number => Date.now();
const monotonic = (): number => performance.now();
const random = (size: number): Uint8Array => randomFillSync(new Uint8Array(size));
const fail = (error: unknown): never => {
  throw error;
};
const store = await openStore({
  driver,
  path: place,
  runtime: testRuntime({ now, monotonic, random }),
  onError: fail,
  redis: {
    url: place,
    prefix: "penknife:",
    onStoreError: "share",
    isNode: false,
    mayBegin: false,
    onNotice: () => {},
    onDegraded: () => {},
  },
});
const outbox = createOutbox({ store, options, runtime: testRuntime({ now, random }), onError: fail });
if (driver === "file") {
  startSending({
    store,
    outbox,
    options,
    runtime: testRuntime({ now, monotonic, random }),
    version: "1.0.0",
    pollMs: 60_000,
    onAttempt: () => {},
    onError: fail,
    onNotice: fail,
  });
}

let next = first;
await Promise.all(
  Array.from({ length: writers }, async () => {
    for (;;) {
      const limit = next++;
      const { deliveries } = await outbox.publisher.publish("account.updated", account, {
        change: "changed",
        account: { name: account, plan: "team", limit, disabled: false },
      });
      if (deliveries.length > 0) process.stdout.write(`${limit}\n`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }),
);
