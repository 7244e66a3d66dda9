import { cpSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryDetail, DeliveryQueue } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { cases, propertyRuns } from "../../../support/cases.ts";
import { damageHistory, openHistory } from "../../../support/history.ts";
import { makeFolder } from "../../../support/store.ts";
import { makeAttempt, makeEvent } from "./conformance.ts";
import { journalOf, openOn } from "./file.ts";
import { testRuntime } from "../../../support/runtime.ts";

const start = Date.UTC(2026, 10, 21, 12);
const clock = { runtime: testRuntime({ now: () => start }) };

type Act =
  | "add"
  | "add three"
  | "retry"
  | "deliver"
  | "fail"
  | "redeliver"
  | "hold"
  | "resetHealth"
  | "end all";

/** The visible state. */
async function show(queue: DeliveryQueue): Promise<unknown> {
  const list = await queue.list({ limit: 1_000 });
  const details = await Promise.all(list.map(({ id }) => queue.get(id)));
  return {
    details: details.toSorted((one, other) => ((one?.id ?? "") < (other?.id ?? "") ? -1 : 1)),
    depth: (await queue.stats()).depth,
    health: await Promise.all(["we_a", "we_b", "we_c"].map((endpoint) => queue.health(endpoint))),
    next: await queue.nextAt(),
  };
}

async function perform(queue: DeliveryQueue, act: Act): Promise<void> {
  if (act === "add")
    await queue.add(makeEvent(start), ["we_a"], { name: makeEvent(start).id, until: start + 1 });
  else if (act === "add three") await queue.add(makeEvent(start), ["we_a", "we_b", "we_c"]);
  else if (act === "hold") await queue.hold("we_b", start + 60_000);
  else if (act === "resetHealth") await queue.resetHealth("we_a");
  else if (act === "end all") await queue.fail("we_c", "The endpoint was removed.");
  else if (act === "redeliver") {
    const [ended] = await queue.list({ state: "failed", limit: 1 });
    if (ended !== undefined) await queue.redeliver(ended.id);
  } else {
    const [claim] = await queue.claim({ count: 1, leaseMs: 1_000 });
    if (claim === undefined) return;
    const attempt = makeAttempt(1, start, { excerpt: 'a "line"\n' });
    if (act === "deliver") await queue.settle(claim, { attempt, state: "delivered" });
    else if (act === "fail")
      await queue.settle(claim, {
        attempt: { ...attempt, outcome: "refused" },
        state: "failed",
        reason: "It was refused.",
      });
    else
      await queue.settle(claim, {
        attempt: { ...attempt, outcome: "retry" },
        state: "waiting",
        nextAt: start + 5_000,
      });
  }
}

/** Performs the steps one after the other; returns the visible state after each, and the length of the journal then. */
async function record(folder: string, acts: readonly Act[]) {
  const { queue } = await openOn(folder, clock);
  const seen: { size: number; state: unknown }[] = [];
  const size = (): number => journalOf(folder).reduce((sum, path) => sum + statSync(path).size, 0);
  seen.push({ size: 0, state: await show(queue) });
  for (const act of acts) {
    await perform(queue, act);
    seen.push({ size: size(), state: await show(queue) });
  }
  await queue.close();
  return seen;
}

async function look(folder: string) {
  const { queue, notices } = await openOn(folder, clock);
  const state = await show(queue);
  await queue.close();
  return { state, notices };
}

async function reopened(folder: string, change: (journal: string) => void) {
  const copy = makeFolder();
  cpSync(folder, copy, { recursive: true });
  change(journalOf(copy).at(-1) as string);
  return look(copy);
}

const acts = fc.array(
  fc.constantFrom<Act>(
    "add",
    "add three",
    "add three",
    "retry",
    "deliver",
    "fail",
    "redeliver",
    "hold",
    "resetHealth",
    "end all",
  ),
  { minLength: 3, maxLength: 12 },
);

describe("a journal that ends anywhere", () => {
  test("contains what was accepted until there, and nothing else", async () => {
    const folder = makeFolder();
    const seen = await record(folder, [
      "add three",
      "retry",
      "deliver",
      "fail",
      "add",
      "redeliver",
      "end all",
    ]);
    const [path = ""] = journalOf(folder);
    const whole = readFileSync(path);
    expect(seen.at(-1)?.size).toBe(whole.length);
    // Every length, or in `make test` those beside the end of a line and some others.
    const lengths = Array.from({ length: whole.length + 1 }, (_, at) => whole.length - at);
    const some = new Set(cases(lengths));
    const isEnd = (at: number): boolean => at <= 0 || whole[at - 1] === 0x0a;
    for (const size of lengths) {
      if (!some.has(size) && ![size - 1, size, size + 1].some(isEnd)) continue;
      truncateSync(path, size);
      const { state, notices } = await look(folder);
      const expected = seen.findLast((one) => one.size <= size);
      // Ended deliveries are in a log of their own, which was not truncated.
      expect(withoutEnded(state), `cut at ${size}`).toEqual(withoutEnded(expected?.state));
      expect(notices, `cut at ${size}`).toHaveLength(isEnd(size) ? 0 : 1);
    }
  }, 120_000);

  test("after any steps, truncated anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(acts, fc.double({ min: 0, max: 1, noNaN: true }), async (list, share) => {
        const folder = makeFolder();
        const seen = await record(folder, list);
        const size = Math.floor((seen.at(-1)?.size ?? 0) * share);
        fc.pre(journalOf(folder).length > 0);
        const { state } = await reopened(folder, (path) => truncateSync(path, size));
        expect(withoutEnded(state)).toEqual(withoutEnded(seen.findLast((one) => one.size <= size)?.state));
      }),
      { numRuns: propertyRuns(20) },
    );
  }, 120_000);

  test("is continued after a torn line, and keeps both", async () => {
    const folder = makeFolder();
    await record(folder, ["add", "add"]);
    const [journal = ""] = journalOf(folder);
    truncateSync(journal, statSync(journal).size - 3);
    const first = await openOn(folder, clock);
    expect((await first.queue.stats()).depth).toBe(1);
    await perform(first.queue, "add three");
    await first.queue.close();
    const { queue } = await openOn(folder, clock);
    expect((await queue.stats()).depth).toBe(4);
  });
});

/** Waiting deliveries, and the states of endpoints. */
function withoutEnded(state: unknown): unknown {
  const { details, ...rest } = state as { details: DeliveryDetail[] };
  return { ...rest, waiting: details.filter((one) => one.state === "waiting") };
}

describe("a damaged line", () => {
  test("loses its own record, and nothing else", async () => {
    const folder = makeFolder();
    const seen = await record(folder, ["add", "add", "add", "add"]);
    const [, first = 0, second = 0] = seen.map(({ size }) => size);
    // Except for the line feed at its end, without which it joins the next line.
    const bytesOfLine = Array.from({ length: second - 1 - first }, (_, at) => first + at);
    for (const at of cases(bytesOfLine)) {
      const { state, notices } = await reopened(folder, (path) => {
        const bytes = readFileSync(path);
        bytes[at] = (bytes[at] as number) ^ 0x04;
        writeFileSync(path, bytes);
      });
      expect(state, `at ${at}`).toMatchObject({ depth: 3 });
      expect(notices.join(), `at ${at}`).toMatch(/incomplete and skipped/);
    }
  });

  test("does not make one event go out with the body of another", async () => {
    const folder = makeFolder();
    const { queue } = await openOn(folder, clock);
    const first = makeEvent(start);
    const second = makeEvent(start);
    await queue.add(first, ["we_a"]);
    await queue.add(second, ["we_a"]);
    await queue.close();
    const { state } = await reopened(folder, (path) => {
      const text = readFileSync(path, "utf8");
      const body = text.split("\n")[3] ?? "";
      writeFileSync(path, text.replace(`${body}\n`, ""));
    });
    expect((state as { details: DeliveryDetail[] }).details.map(({ body }) => body)).toEqual([first.body]);
  });

  test("nor with the next, if both of theirs are damaged", async () => {
    const folder = makeFolder();
    await record(folder, ["add", "add", "add"]);
    const { state } = await reopened(folder, (path) => {
      const lines = readFileSync(path, "utf8").split("\n");
      // Header, body, event, body, event and so on.
      for (const index of [2, 3]) lines[index] = `00000000${lines[index]?.slice(8)}`;
      writeFileSync(path, lines.join("\n"));
    });
    expect(state).toMatchObject({ depth: 1 });
  });

  test("in the log of ended deliveries loses that delivery only, and is reported", async () => {
    const folder = makeFolder();
    await record(folder, ["add", "deliver", "add", "deliver", "add", "deliver"]);
    const whole = readFileSync(join(folder, "history.db"));
    const newest = "WHERE id = (SELECT max(id) FROM ended)";
    for (const [column, kept] of [
      ["text", 2],
      ["text_sum", 2],
      ["rest", 3],
      ["rest_sum", 3],
    ] as const) {
      writeFileSync(join(folder, "history.db"), whole);
      const value = column.endsWith("sum") ? `${column} + 1` : `replace(${column}, ':', ';')`;
      damageHistory(folder, `UPDATE ended SET ${column} = ${value} ${newest}`);
      const { queue, errors } = await openOn(folder);
      const list = await queue.list({ limit: 10 });
      expect(list).toHaveLength(kept);
      const details = await Promise.all(list.map(({ id }) => queue.get(id)));
      expect(details.filter((one) => one !== undefined).map(({ body }) => body)).toEqual(
        Array(2).fill(expect.stringMatching(/^\{"n":\d+\}$/)),
      );
      expect(errors.map(({ reason }) => reason)).toEqual([
        expect.stringContaining("history.db is damaged: the ended delivery "),
      ]);
      await queue.close();
    }
  });

  test("in the pages of the history ends no delivery again and again: it is lost, and that is reported", async () => {
    const folder = makeFolder();
    await record(folder, ["add", "add"]);
    const history = openHistory(folder, () => {});
    await history.close();
    const file = join(folder, "history.db");
    const bytes = readFileSync(file);
    // All pages but the first, which has the tables.
    bytes.fill(0xa5, 4_096);
    writeFileSync(file, bytes);
    const { queue, errors } = await openOn(folder);
    await perform(queue, "deliver");
    expect(await queue.stats()).toMatchObject({ depth: 1 });
    expect(errors.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("history.db is damaged. Run penknife doctor"),
    ]);
  });
});
