import { expect, test } from "vitest";
import { createLazy } from "../../../src/services/storage/lazy.ts";

test("is opened once for all who ask, and closed if it was", async () => {
  let opened = 0;
  let closed = 0;
  const make = () =>
    createLazy(async () => {
      opened++;
      return { close: async () => void closed++ };
    });
  const lazy = make();
  const [one, two] = await Promise.all([lazy.get(), lazy.get()]);
  expect(one).toBe(two);
  await lazy.close();
  expect([opened, closed]).toEqual([1, 1]);
  await expect(lazy.get()).rejects.toThrow("The store is closed.");
  await make().close();
  expect([opened, closed]).toEqual([1, 1]);
});

test("what could not be opened is tried again", async () => {
  let broken = true;
  const lazy = createLazy(async () => {
    if (broken) throw new Error("full");
    return { close: async () => {} };
  });
  await expect(Promise.all([lazy.get(), lazy.get()])).rejects.toThrow("full");
  broken = false;
  await lazy.get();
  await lazy.close();
});

test("one that is being opened is closed when it is", async () => {
  const opening = Promise.withResolvers<{ close(): Promise<void> }>();
  let closed = false;
  const lazy = createLazy(() => opening.promise);
  const part = lazy.get();
  const closing = lazy.close();
  opening.resolve({ close: async () => void (closed = true) });
  await closing;
  expect(closed).toBe(true);
  await part;
});
