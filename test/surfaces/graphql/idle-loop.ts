import { createLoopShare } from "../../../src/catalog/loop-share.ts";

/** An event loop that nobody else waits for and nobody watches. */
export const idleLoop = {
  loop: createLoopShare(() => performance.now(), 10),
  watchdog: { enter() {} },
};
