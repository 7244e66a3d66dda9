import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { inspectRedis } from "../../../../src/storage/redis/inspect.ts";

/** A stub that reports itself as servers of other versions do. */
const inspect = (...lines: string[]) =>
  inspectRedis(
    { info: async () => ["# Server", ...lines, "aof_enabled:1", ""].join("\r\n") } as unknown as Redis,
    "here",
  );

test.each(["6.2.14", "6.0.16", "5.0.7", "4.0.9"])(
  "Redis %s, which cannot run our scripts, is refused",
  async (version) => {
    await expect(inspect(`redis_version:${version}`)).rejects.toMatchObject({
      name: "StoreError",
      operation: "open",
      reason: `Redis (here) cannot keep the store: it is version ${version}, which lacks scripts with flags. Use Redis 7 or later, or Valkey.`,
    });
  },
);

test.each([
  ["redis_version:7.0.0"],
  ["redis_version:7.4.1"],
  ["redis_version:8.2.0"],
  ["redis_version:10.0.0"],
  ["redis_version:7.2.4", "server_name:valkey", "valkey_version:8.1.0"],
  // Managed servers that hide their version.
  ["redis_mode:standalone"],
])("%s is accepted", async (...lines) => {
  expect(await inspect(...lines)).toEqual({ warnings: [] });
});
