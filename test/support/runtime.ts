import { randomBytes } from "node:crypto";
import type { Runtime } from "../../src/runtime.ts";

/**
 * The runtime of this process, with the parts that a test replaces. The monotonic clock is `now`, unless it is replaced
 * too, and a reported bug is thrown.
 */
export function testRuntime(parts: Partial<Runtime> = {}): Runtime {
  const { now = Date.now } = parts;
  return {
    now,
    monotonic: now,
    random: (size) => randomBytes(size),
    report(fault) {
      throw fault;
    },
    ...parts,
  };
}
