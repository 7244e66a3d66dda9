import { expect, it } from "vitest";
import { amount } from "../../support/cases.ts";
import { emptyFolder, issueKey, serve } from "../e2e/harness.ts";
import { type Fault, fuzz, settledBytes } from "../../fuzz/fuzz.ts";

const runsATool = amount(4);
const deadlineMs = 2000;
/** The factor by which memory may grow between the first third and the second. */
const growth = 1.2;

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
  let first = Infinity;
  let second = Infinity;
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
    if (part === 0) first = await settledBytes(server, 5);
    if (part === 1) second = await settledBytes(server, 45, first * growth);
  }
  expect(faults).toEqual([]);
  expect(server.stdout()).toBe("");
  expect(second).toBeLessThanOrEqual(first * growth);
  expect(await server.stop()).toBe(0);
  folder.remove();
}, 300_000);
