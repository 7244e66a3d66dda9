// A process of its own that holds a lease and writes when it is told to: `lease-holder.ts hold OPTIONS`, which are JSON.
import { once } from "node:events";
import { writeSync } from "node:fs";
import { openConnection } from "./open-connection.ts";
import { openHold } from "./open-hold.ts";

const { url, prefix, leaseMs } = JSON.parse(process.argv[3] ?? "") as {
  url: string;
  prefix: string;
  leaseMs: number;
};
// Synchronous, so that the line has left the process before it is stopped.
const say = (line: string) => writeSync(1, `${line}\n`);

const connection = await openConnection(url, prefix);
const { hold, texts } = await openHold(connection, { leaseMs });

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
