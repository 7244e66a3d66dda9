import { expect, test } from "vitest";
import { createFeed, type Source } from "../../../../src/surfaces/graphql/feed.ts";

function open(most?: number) {
  const leaving = new AbortController();
  const held: { source?: Source<number>; ended: number } = { ended: 0 };
  const feed = createFeed<number>({
    signal: leaving.signal,
    begin(source) {
      held.source = source;
      return () => void (held.ended += 1);
    },
    ...(most !== undefined && { max: most }),
  });
  const { source } = held;
  if (source === undefined) throw new Error("it has not begun");
  return { feed, source, held, leave: () => leaving.abort(), signal: leaving.signal };
}

const over = { done: true, value: undefined };
const value = (n: number) => ({ done: false, value: n });

test("values arrive in order, whether they were waited for or not", async () => {
  const { feed, source } = open();
  const [first, second] = [feed.next(), feed.next()];
  for (let n = 1; n <= 4; n++) source.push(n);
  expect(await first).toEqual(value(1));
  expect(await second).toEqual(value(2));
  expect(await feed.next()).toEqual(value(3));
  source.push(5);
  expect([await feed.next(), await feed.next()]).toEqual([value(4), value(5)]);
});

test("100,000 values go through a buffer of 1,000, none lost, none duplicated", async () => {
  const { feed, source } = open();
  const read: unknown[] = [];
  for (let n = 0; n < 100_000; n++) {
    source.push(n);
    // The reader falls behind, and catches up.
    if (n % 900 === 899) while (read.length <= n - 50) read.push((await feed.next()).value);
  }
  while (read.length < 100_000) read.push((await feed.next()).value);
  expect(read).toEqual(Array.from({ length: 100_000 }, (_, n) => n));
});

test("ends as overloaded, once, with the 1,001st unread value", async () => {
  const { feed, source, held } = open();
  for (let n = 0; n < 1000; n++) source.push(n);
  expect(held.ended).toBe(0);
  source.push(1000);
  expect(held.ended).toBe(1);
  source.push(1001);
  await expect(feed.next()).rejects.toMatchObject({ code: "overloaded", details: { limit: 1000 } });
  expect(await feed.next()).toEqual(over);
  expect(held.ended).toBe(1);
});

test("unread values are counted, not all values", async () => {
  const { feed, source, held } = open(3);
  const read: unknown[] = [];
  for (let n = 0; n < 100; n++) {
    source.push(n);
    if (n > 1) read.push((await feed.next()).value);
  }
  expect(read).toEqual(Array.from({ length: 98 }, (_, n) => n));
  expect(held.ended).toBe(0);
});

test("return stops at once, even while a value is awaited", async () => {
  const { feed, source, held } = open();
  const waiting = [feed.next(), feed.next()];
  const leaving = feed.return(undefined);
  expect(held.ended).toBe(1);
  expect(await Promise.all([...waiting, leaving])).toEqual([over, over, over]);
  source.push(1);
  source.fail(new Error("too late"));
  expect(await feed.next()).toEqual(over);
  await feed.return(undefined);
  expect(held.ended).toBe(1);
});

test("throw, the end of a loop, the end of a scope and the signal end it too", async () => {
  const thrown = open();
  await expect(thrown.feed.throw(new Error("mine"))).rejects.toThrow("mine");
  const looped = open();
  looped.source.push(1);
  for await (const _ of looped.feed) break;
  const scoped = open();
  {
    await using feed = scoped.feed;
    void feed;
  }
  const aborted = open();
  const waiting = aborted.feed.next();
  aborted.leave();
  expect(await waiting).toEqual(over);
  for (const { held, feed } of [thrown, looped, scoped, aborted]) {
    expect(held.ended).toBe(1);
    expect(await feed.next()).toEqual(over);
  }
});

test("a failure rejects the pending or the next call", async () => {
  const waited = open();
  const waiting = waited.feed.next();
  waited.source.fail(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  const asked = open();
  asked.source.push(1);
  asked.source.fail(new Error("gone"));
  await expect(asked.feed.next()).rejects.toThrow("gone");
  for (const { feed, held } of [waited, asked]) {
    expect(await feed.next()).toEqual(over);
    expect(held.ended).toBe(1);
  }
});

test("does not listen for a reader that has left, and ends if listening fails", async () => {
  const feed = createFeed({ signal: AbortSignal.abort(), begin: () => expect.unreachable("begun") });
  expect(await feed.next()).toEqual(over);
  let ended = 0;
  const failed = createFeed({
    signal: new AbortController().signal,
    begin(source) {
      source.fail(new Error("at once"));
      return () => void (ended += 1);
    },
  });
  await expect(failed.next()).rejects.toThrow("at once");
  expect(ended).toBe(1);
});
