import type { Runtime } from "../../runtime.ts";
import type { Claim, DeliveryQueue, Settlement } from "../deliveries/delivery-queue.ts";
import { toHealth } from "./delivery-endpoints.ts";
import { settle as settleScript } from "./delivery-scripts.ts";
import type { Shards } from "./delivery-shards.ts";
import type { ScriptArgument } from "./script.ts";

/** A delivery whose success is not recorded is sent again. Leases are not much longer. */
const settleForMs = 10_000;
const pauseMs = 250;

/** Records the results of claims: each once, also if only the answer was lost. */
export function createSettling(options: {
  shards: Shards;
  runtime: Runtime;
}): Pick<DeliveryQueue, "settle"> & { close(): void } {
  const { shards, runtime } = options;
  const node = Buffer.from(runtime.random(8)).toString("hex");
  let settlements = 0;
  // A settlement that failed without an answer may have succeeded: a repetition with the same result has the same name.
  const tries = new WeakMap<Claim, { result: Settlement; name: string }>();
  let closed = false;

  /** Repeats the same settlement until it is answered. */
  async function settleAtLast(account: string, args: readonly ScriptArgument[]): Promise<unknown> {
    let late = false;
    const timer = setTimeout(() => (late = true), settleForMs);
    try {
      for (;;) {
        try {
          return await shards.of(account).run("write", settleScript, args);
        } catch (error) {
          if (late || closed) throw error;
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async settle(claim, result) {
      const { delivery, fence } = claim;
      const { attempt, state, nextAt, reason = "" } = result;
      const left = nextAt === undefined ? 0 : nextAt - runtime.now();
      const tried =
        attempt === undefined ? ["", "", 0] : [JSON.stringify(attempt), attempt.outcome, attempt.at];
      const before = tries.get(claim);
      const name = before?.result === result ? before.name : `${node}:${(settlements += 1)}`;
      tries.set(claim, { result, name });
      const health = await settleAtLast(delivery.account, [
        delivery.id,
        fence,
        state,
        left,
        reason,
        ...tried,
        name,
      ]);
      return health === null ? undefined : toHealth(health as (string | null)[]);
    },
    close() {
      closed = true;
    },
  };
}
