import { sharedRedis } from "../drivers.ts";
import { testQueue } from "../../../unit/storage/deliveries/conformance.ts";
import { openQueue } from "./connection.ts";
import { testRuntime } from "../../../support/runtime.ts";

let prefixes = 0;

testQueue({
  name: "on Redis, by a clock that is set",
  unit: 1000,
  async open(options) {
    let now = Date.now();
    const time = (): number => now;
    const prefix = `penknife:queue${++prefixes}:`;
    const { url } = await sharedRedis();
    const open = () => openQueue(url, prefix, { ...options, runtime: testRuntime({ now: time }), time });
    return {
      queue: await open(),
      now: time,
      async pass(ms) {
        now += ms;
      },
      reopen: open,
    };
  },
});
