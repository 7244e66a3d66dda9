import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { workerSource } from "../../../support/worker-source.ts";

const mebibyte = 1_048_576;

test("an idle thread releases the memory of a large document", async () => {
  const worker = new Worker(workerSource(), { env: {}, execArgv: [] });
  const next = () => new Promise<unknown>((resolve) => worker.once("message", resolve));
  await next();
  const heap = async () => (await worker.getHeapStatistics()).total_heap_size;
  const data = JSON.stringify(Array.from({ length: 200_000 }, (_, id) => ({ id, name: `name ${id}` })));
  const bytes = new TextEncoder().encode(JSON.stringify({ data }));
  const answered = next();
  const send = (slug: string, body: Uint8Array): void =>
    worker.postMessage(
      { kind: "call", call: { slug, body: { kind: "json", bytes: body }, form: "json", check: false } },
      [],
    );
  send("json-to-yaml", bytes);
  expect(await answered).toMatchObject({ kind: "answer" });
  const after = await heap();
  expect(after).toBeGreaterThan(64 * mebibyte);
  worker.postMessage({ kind: "tidy" }, []);
  await expect.poll(heap, { interval: 200 }).toBeLessThan(32 * mebibyte);
  // It still works.
  const again = next();
  send("json-minifier", new TextEncoder().encode('{"data":"[ 1 ]"}'));
  expect(await again).toMatchObject({ kind: "answer" });
  await worker.terminate();
});
