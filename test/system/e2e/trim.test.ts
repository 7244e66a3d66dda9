import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, emptyFolder, type Server, serve } from "./harness.ts";

const folder = emptyFolder();
let server: Server;

beforeAll(async () => {
  server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "60000" });
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

/** Returns the resident bytes of the allocator's main arena. */
function heapBytes(): number {
  const maps = readFileSync(`/proc/${server.child.pid}/smaps`, "latin1");
  const kilobytes = /\[heap\]\n(?:.*\n)*?Rss: +(\d+) kB/.exec(maps)?.[1];
  return Number(kilobytes) * 1024;
}

test.runIf(process.platform === "linux")(
  "a server returns the memory of large documents to the system",
  async () => {
    // Bodies of several sizes leave live memory between freed memory; two rounds are too few for that.
    const bodies = [3200, 12_500, 50_000, 150_000].map((items) =>
      JSON.stringify({ data: JSON.stringify(Array.from({ length: items }, (_, a) => ({ a, b: "xyz" }))) }),
    );
    const headers = { "Content-Type": "application/json" };
    for (let round = 0; round < 4; round++)
      for (const body of bodies) {
        const all = Array.from({ length: 6 }, () =>
          call(`${server.url}/api/tools/json-formatter`, { method: "POST", headers, body }),
        );
        for (const { status } of await Promise.all(all)) expect(status).toBe(200);
      }
    await expect.poll(heapBytes).toBeLessThan(24 * 1_048_576);
  },
  600_000,
);
