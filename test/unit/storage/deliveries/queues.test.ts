import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import { createMemoryQueue } from "../../../../src/storage/deliveries/memory-queue.ts";
import { makeFolder } from "../../../support/store.ts";
import { testQueue } from "./conformance.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { openQueue } from "../../../support/history.ts";
import { testRuntime } from "../../../support/runtime.ts";

/** A clock set by the test. */
function createClock(): { now: () => number; pass: (ms: number) => Promise<void> } {
  let time = Date.UTC(2026, 10, 21, 12);
  return {
    now: () => time,
    async pass(ms) {
      time += ms;
    },
  };
}

const random: Runtime["random"] = (size) => randomBytes(size);

testQueue({
  name: "in memory",
  unit: 1_000,
  async open(options) {
    const clock = createClock();
    const queue = createMemoryQueue({ ...options, runtime: testRuntime({ now: clock.now, random }) });
    onTestFinished(() => queue.close());
    return { ...clock, queue };
  },
});

const fileBackend = (name: string, segmentBytes?: number) =>
  testQueue({
    name,
    unit: 1_000,
    async open(options) {
      const clock = createClock();
      const folder = makeFolder();
      const open = () =>
        openQueue(folder, {
          ...options,
          runtime: testRuntime({ now: clock.now, random }),
          onError: (error) => {
            throw error;
          },
          onNotice: (_, message) => {
            throw new Error(message);
          },
          ...(segmentBytes !== undefined && { segmentBytes }),
        });
      let queue = await open();
      onTestFinished(() => queue.close());
      return {
        ...clock,
        queue,
        async reopen() {
          await queue.close();
          queue = await open();
          return queue;
        },
      };
    },
  });

fileBackend("on files");
// Every delivery is moved on each pass.
fileBackend("on files of a kilobyte", 1_000);
