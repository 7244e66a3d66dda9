import { expect, test, vi } from "vitest";
import { startChild } from "../child.ts";
import { makeFolder } from "../../../support/store.ts";
import { journalOf, openOn } from "../../../unit/storage/deliveries/file.ts";
import { repeats } from "../../../support/cases.ts";

const kills = repeats(30);
const inFlight = 8;
const fixture = new URL("./queue.fixture.ts", import.meta.url).pathname;

test(`kill -9 under load, ${kills} times: accepted deliveries exist once, and settled ones stay settled`, async () => {
  const folder = makeFolder();
  const added = new Map<string, string>();
  const settled: string[] = [];
  const delivered = new Set<string>();
  let claims = 0;
  let highest = 0;

  function hear(lines: readonly string[]): void {
    for (const [word = "", id = "", rest = ""] of lines.map((line) => line.split(" "))) {
      if (word === "added") added.set(id, rest);
      if (word === "claimed") {
        claims += 1;
        // A delivery reported as delivered is not made again, by this process or the next.
        expect(delivered).not.toContain(id);
      }
      if (word === "retried" || word === "delivered") settled.push(`${id} ${rest}`);
      if (word === "delivered") delivered.add(id);
      expect(word).not.toBe("error");
      expect(word).not.toBe("refused");
    }
  }

  for (let round = 0; round < kills; round++) {
    const child = startChild(folder, String(inFlight), { fixture });
    await child.said(/^ready/);
    // Kill after progress, not after a time: a busy machine makes little progress in a given time.
    const enough = 20 + ((round * 37) % 60);
    const isSettled = (line: string): boolean => /^(?:delivered|retried)/.test(line);
    await vi.waitFor(() => expect(child.lines.filter(isSettled).length).toBeGreaterThan(enough), {
      timeout: 60_000,
      interval: 3,
    });
    await child.kill();
    hear(child.lines);
    highest = Math.max(highest, ...journalOf(folder).map((path) => Number(/(\d+)\.log$/.exec(path)?.[1])));
  }
  // The files were changed and compacted meanwhile.
  expect(highest).toBeGreaterThan(kills);
  const last = startChild(folder, String(inFlight), { fixture });
  await last.said(/^ready/);
  last.write("drain\n");
  await last.said(/^drained/);
  expect(await last.ended).toBe(0);
  hear(last.lines);

  const { queue } = await openOn(folder);
  expect(await queue.stats()).toEqual({ depth: 0 });
  const list = await queue.list({ limit: 1_000_000 });
  const found = new Map(list.map((delivery) => [delivery.id, delivery]));
  expect(found.size).toBe(list.length);
  expect([...added].filter(([id, event]) => found.get(id)?.event !== event)).toEqual([]);
  expect(list.filter(({ state }) => state !== "delivered")).toEqual([]);
  // An event is accepted for both of its endpoints or for neither.
  const perEvent = Map.groupBy(list, ({ event }) => event);
  expect([...perEvent.values()].filter(({ length }) => length !== 2)).toEqual([]);

  let attempts = 0;
  const known = new Set<string>();
  for (const { id } of list) {
    const { log = [] } = (await queue.get(id)) ?? {};
    attempts += log.length;
    for (const { number } of log) known.add(`${id} ${number}`);
    expect(log.map(({ number }) => number)).toEqual(log.map((_, index) => index + 1));
    expect(log.findIndex(({ outcome }) => outcome === "ok")).toBe(log.length - 1);
  }
  expect(settled.filter((one) => !known.has(one))).toEqual([]);
  expect(claims - attempts).toBeLessThanOrEqual(kills * inFlight);
  expect(added.size).toBeGreaterThan(kills * 20);
}, 600_000);
