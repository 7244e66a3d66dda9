import { expect, it } from "vitest";
import { emptyFolder, issueKey, serve } from "../e2e/harness.ts";
import { type Fault, fuzz, residentBytes } from "./fuzz.ts";

const runsATool = 60;
const deadlineMs = 2000;

it("answers random, huge and malformed input of every tool with a result or a refusal, in time and in bounded memory", async () => {
  const folder = emptyFolder();
  const server = await serve(folder.path, {
    PENKNIFE_TOOLS_DEADLINE_MS: String(deadlineMs),
    PENKNIFE_LOG_LEVEL: "error",
  });
  const key = await issueKey(folder.path, "fuzz", "team", ["--limit", "100000000"]);
  const { items } = JSON.parse(await (await fetch(`${server.url}/api/tools`)).text()) as { items: unknown[] };
  const third = Math.ceil((items.length * runsATool) / 3);
  const faults: Fault[] = [];
  const memory: number[] = [];
  for (let part = 0; part < 3; part++) {
    await fuzz({
      server,
      key,
      runs: third,
      seed: 20_260_101 + part * third,
      // Waiting for a worker may take as long as the deadline itself.
      patience: deadlineMs * 2 + 5000,
      onFault: (fault) => faults.push(fault),
    });
    memory.push(residentBytes(server));
  }
  expect(faults).toEqual([]);
  expect(server.stdout()).toBe("");
  const [first = 0, second = 0] = memory;
  // Worker heaps come and go; below this nothing can be told from noise.
  expect(second).toBeLessThan(Math.max(first * 1.2, first + 64 * 1024 * 1024));
  expect(await server.stop()).toBe(0);
  folder.remove();
}, 300_000);
