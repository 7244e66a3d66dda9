import type { Runtime } from "../../runtime.ts";
import type { DeliveryQueue, Health } from "../deliveries/delivery-queue.ts";
import type { RedisClient } from "./client.ts";
import type { Shards } from "./delivery-shards.ts";
import * as upkeep from "./delivery-upkeep.ts";
import type { Guard } from "./guard.ts";

const waitMs = 5000;
/** Deliveries that one script ends: a few milliseconds, during which Redis answers nobody else. */
const atOnce = 200;

/** Creates the operations on all deliveries of an endpoint. These belong to one account, but the id of an endpoint does not contain its name. */
export function createDeliveryEndpoints(options: {
  client: RedisClient;
  guard: Guard;
  shards: Shards;
  runtime: Runtime;
}): Pick<DeliveryQueue, "hold" | "health" | "resetHealth" | "fail"> {
  const { client, guard, shards, runtime } = options;
  return {
    async hold(endpoint, until) {
      const left = until === Infinity ? "ever" : Math.max(0, until - runtime.now());
      await shards.runInAll("write", upkeep.hold, [endpoint, left]);
    },
    async health(endpoint) {
      const texts = await guard.run("read", waitMs, () =>
        Promise.all(shards.all.map((shard) => client.hget(shard.nameOf("endpoints"), endpoint))),
      );
      const known = texts.map((text) => JSON.parse(text ?? "{}") as Partial<Health>);
      const { failures, failingSince } = known.find((one) => (one.failures ?? 0) > 0) ?? {};
      return toHealth([failures, failingSince]);
    },
    async resetHealth(endpoint) {
      await shards.runInAll("write", upkeep.resetHealth, [endpoint]);
    },
    async fail(endpoint, reason) {
      let total = 0;
      for (const shard of shards.all) {
        for (let ended = atOnce; ended >= atOnce; total += ended)
          ended = Number(await shard.run("write", upkeep.fail, [endpoint, reason, atOnce]));
      }
      return total;
    },
  };
}

export const toHealth = ([failures, since]: readonly (string | number | null | undefined)[]): Health => ({
  failures: Number(failures ?? 0),
  ...(since !== null && since !== undefined && { failingSince: Number(since) }),
});
