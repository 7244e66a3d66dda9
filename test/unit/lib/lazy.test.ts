import { expect, test } from "vitest";
import { lazy } from "../../../src/lib/lazy.ts";

const closed = new Error("The store is closed.");

test("makes the value once for all callers", async () => {
  let made = 0;
  const get = lazy(async () => ({ number: ++made }));
  const [one, two] = await Promise.all([get(), get()]);
  expect(one).toBe(two);
  expect(await get()).toBe(one);
  expect(made).toBe(1);
});

test("does not cache a rejection", async () => {
  let attempts = 0;
  const get = lazy(async () => {
    attempts += 1;
    if (attempts < 3) throw new Error(`attempt ${attempts}`);
    return attempts;
  });
  await expect(Promise.all([get(), get()])).rejects.toThrow("attempt 1");
  await expect(get()).rejects.toThrow("attempt 2");
  expect([await get(), await get()]).toEqual([3, 3]);
});

test("made returns the value only if a call has asked for it", async () => {
  const get = lazy(async () => "value");
  expect(await get.made()).toBeUndefined();
  void get();
  expect(await get.made()).toBe("value");
});

test("made returns undefined if the value could not be made", async () => {
  const get = lazy(async () => {
    throw new Error("full");
  });
  const asked = get();
  expect(await get.made()).toBeUndefined();
  await expect(asked).rejects.toThrow("full");
  expect(await get.made()).toBeUndefined();
});

test("end rejects later calls and returns a value that is still being made", async () => {
  const making = Promise.withResolvers<string>();
  const get = lazy(() => making.promise);
  const asked = get();
  const ended = get.end(closed);
  await expect(get()).rejects.toBe(closed);
  making.resolve("value");
  expect([await asked, await ended]).toEqual(["value", "value"]);
  await expect(get()).rejects.toBe(closed);
});

test("end makes nothing", async () => {
  let made = 0;
  const get = lazy(async () => ++made);
  expect(await get.end(closed)).toBeUndefined();
  await expect(get()).rejects.toBe(closed);
  expect(made).toBe(0);
});
