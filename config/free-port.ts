import { once } from "node:events";
import { createServer } from "node:net";

// Below the ephemeral ports (from 32,768 on Linux), and a hundred for each process, so no other test takes a port between
// this check and the start of the server.
const first = 10_000 + (process.pid % 220) * 100;
let next = Math.floor(Math.random() * 100);

/** Returns a port of 127.0.0.1 on which nothing listens, and which this process has not returned lately. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < 100; tried++) {
    const port = first + (next++ % 100);
    const probe = createServer().listen(port, "127.0.0.1");
    const free = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!free) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
  throw new Error(`no port from ${first} to ${first + 99} is free`);
}
