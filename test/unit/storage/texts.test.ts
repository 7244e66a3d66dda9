import { createStorage } from "unstorage";
import { expect, test } from "vitest";
import { createLists } from "../../../src/storage/lists.ts";
import { createLocalTexts } from "../../../src/storage/texts.ts";

const place = { list: "keys", entry: "a" };

test.each([
  ["is in no list if it was not written", false, 0],
  ["stays in the lists if it was written nevertheless", true, 1],
])("a record whose write fails %s", async (_, written, entries) => {
  const storage = createStorage();
  const lists = createLists();
  const failing = {
    ...storage,
    async setItem(key: string, value: unknown) {
      if (written) await storage.setItem(key, value as string);
      throw new Error("the disk is full");
    },
  };
  const texts = createLocalTexts(failing, lists);
  const swap = texts.swap("keys:a", { before: null, after: '{"v":1}', enter: [place] });
  await expect(swap).rejects.toThrow("the disk is full");
  expect(lists.count("keys")).toBe(entries);
});

test("a record that exists stays in its lists if its replacement cannot be written", async () => {
  const storage = createStorage();
  const lists = createLists();
  lists.add(place);
  await storage.setItem("keys:a", { v: 1 });
  const failing = { ...storage, setItem: () => Promise.reject(new Error("the disk is full")) };
  const texts = createLocalTexts(failing, lists);
  const swap = texts.swap("keys:a", { before: '{"v":1}', after: '{"v":2}', enter: [place] });
  await expect(swap).rejects.toThrow("the disk is full");
  expect(lists.count("keys")).toBe(1);
});
