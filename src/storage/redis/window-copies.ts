import { counterName, idOfCounter } from "./counter-names.ts";
import { type RedisClient, serversOf, tagOf } from "./client.ts";
import type { Counters } from "../storage.ts";
import { toUnavailable } from "../unavailable.ts";
import type { StoreError } from "../errors.ts";
import type { Guard } from "./guard.ts";
import type { Runtime } from "../../runtime.ts";

const waitMs = 2000;

/** Reads and writes whole windows, for copies: the same entries in which the limiters count. */
export function createRedisWindows(options: {
  client: RedisClient;
  guard: Guard;
  prefix: string;
  runtime: Runtime;
}): Pick<Counters, "windows" | "put"> {
  const { client, guard, prefix, runtime } = options;
  const base = `${prefix}count:`;
  const tag = tagOf(client);

  /** Explains the fault to the operator. */
  async function attempt<T>(operation: "read" | "write", work: () => Promise<T>): Promise<T> {
    try {
      return await guard.run(operation, waitMs, work);
    } catch (error) {
      throw toUnavailable(error as StoreError);
    }
  }

  return {
    async *windows() {
      for (const server of serversOf(client)) {
        let cursor = "0";
        do {
          const from = cursor;
          const [next, names] = await attempt("read", () =>
            server.scan(from, "MATCH", `${base}*`, "COUNT", 1000),
          );
          cursor = next;
          const found = await attempt("read", () =>
            Promise.all(names.map((name) => Promise.all([client.get(name), client.pttl(name)]))),
          );
          for (const [index, [used, left]] of found.entries()) {
            if (used === null || left <= 0) continue;
            const id = idOfCounter(names[index]?.slice(base.length) ?? "");
            yield [id, { used: Number(used), resetAt: runtime.now() + left }];
          }
        } while (cursor !== "0");
      }
    },
    async put(id, { used, resetAt }) {
      const left = resetAt - runtime.now();
      if (left > 0) await attempt("write", () => client.set(base + counterName(tag, id), used, "PX", left));
    },
  };
}
