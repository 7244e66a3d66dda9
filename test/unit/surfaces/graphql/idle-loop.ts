import { createLoopShare } from "../../../../src/catalog/loop-share.ts";

/** An event loop that is idle and not observed. */
export const idleLoop = {
  loop: createLoopShare(() => performance.now(), 10),
  watchdog: { enter() {} },
};
