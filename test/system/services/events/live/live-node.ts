// A node of its own on a Redis: `live-node.ts URL PREFIX`. Prints `ready`, then the number of each event that it receives, one line per
// batch; a number on standard input makes it publish that many events.
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { createLive } from "../../../../../src/services/events/live/live.ts";
import { openStore } from "../../../../../src/storage/storage.ts";
import { numberOf, toEvent } from "../../../../unit/services/events/live/live-events.ts";
import { testRuntime } from "../../../../support/runtime.ts";

const [url = "", prefix = ""] = process.argv.slice(2);
const random = (size: number): Uint8Array => randomBytes(size);
const fail = (error: unknown): never => {
  throw error;
};
const store = await openStore({
  driver: "redis",
  path: "",
  runtime: testRuntime({ monotonic: () => performance.now(), random }),
  onError: fail,
  redis: {
    url,
    prefix,
    onStoreError: "share",
    isNode: true,
    mayBegin: true,
    onNotice: () => {},
    onDegraded: () => {},
  },
});
const live = createLive({ channel: store.channel, runtime: testRuntime({ random, report: fail }) });
let heard: number[] = [];
live.listen("event", "ci", (event) => {
  if (heard.push(numberOf(event)) === 1) setImmediate(say);
});
await live.ready();
process.stdout.write("ready\n");

function say(): void {
  process.stdout.write(`${heard.join(" ")}\n`);
  heard = [];
}

for await (const line of createInterface({ input: process.stdin })) {
  for (let n = 0; n < Number(line); n++) live.publish("event", "ci", toEvent(n));
}
await live.close();
await store.close();
