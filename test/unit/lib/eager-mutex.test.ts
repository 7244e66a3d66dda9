import { expect, test } from "vitest";
import { createEagerMutex } from "../../../src/lib/mutex.ts";

test("a task that nothing is in the way of starts within the call, the others one after another", async () => {
  const inTurn = createEagerMutex();
  const events: string[] = [];
  const run = (name: string, wait: Promise<void>): Promise<string> =>
    inTurn(async () => {
      events.push(`${name} begins`);
      await wait;
      events.push(`${name} ends`);
      return name;
    });
  const first = Promise.withResolvers<void>();
  const all = [run("a", first.promise), run("b", Promise.resolve()), run("c", Promise.resolve())];
  expect(events).toEqual(["a begins"]);
  first.resolve();
  expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
  expect(events).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("it is eager again when all tasks have ended, also after one that failed or threw", async () => {
  const inTurn = createEagerMutex();
  const thrown = inTurn(() => {
    throw new Error("no");
  });
  const after = inTurn(() => 1);
  await expect(thrown).rejects.toThrow("no");
  expect(await after).toBe(1);
  await new Promise((resolve) => setTimeout(resolve));
  let isRun = false;
  const last = inTurn(() => void (isRun = true));
  expect(isRun).toBe(true);
  await last;
});
