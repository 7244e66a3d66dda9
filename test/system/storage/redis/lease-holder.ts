// A process of its own that holds a lease and writes when it is told to: `lease-holder.ts hold OPTIONS`, which are JSON.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { createRedisHold } from "../../../../src/storage/redis/hold.ts";
import { createRedisTexts } from "../../../../src/storage/redis/texts.ts";
import { openConnection, openMarker } from "./open-connection.ts";
import { testRuntime } from "../../../support/runtime.ts";

const { url, prefix, leaseMs } = JSON.parse(process.argv[3] ?? "") as {
  url: string;
  prefix: string;
  leaseMs: number;
};
// Synchronous, so that the line has left the process before it is stopped.
const say = (line: string) => writeSync(1, `${line}\n`);
const random = (size: number) => randomBytes(size);

const connection = await openConnection(url, prefix);
const { client, guard } = connection;
const marker = await openMarker({ client, guard, prefix });
const texts = createRedisTexts({ client, guard, prefix, marker, waitMs: 5000, isUrgent: () => false });
const hold = createRedisHold({
  client,
  guard,
  prefix,
  runtime: testRuntime({ random, monotonic: () => performance.now() }),
  leaseMs,
});

try {
  await hold("acme", async (lease) => {
    say(`held ${lease.token}`);
    await once(process.stdin, "data");
    // Before its timer can ask for more time.
    say(`wrote ${await texts.swap("keys:late", { before: null, after: "{}", lease })}`);
  });
  say("done");
} catch (error) {
  say(`refused ${(error as { code?: string }).code ?? String(error)}`);
} finally {
  connection.close();
  process.stdin.destroy();
}
