import { expect, test, vi } from "vitest";
import { createSpace } from "../../../src/storage/space.ts";
import { makeFolder } from "../../support/store.ts";
import { testRuntime } from "../../support/runtime.ts";

const disk = vi.hoisted(() => ({ bavail: 0, blocks: 1000, bsize: 4096 }));
vi.mock("node:fs", async (importActual) => ({ ...(await importActual<object>()), statfsSync: () => disk }));

const open = () => createSpace(makeFolder(), { floorMb: 64, runtime: testRuntime({ monotonic: () => 0 }) });

test("a small disk keeps an eighth of itself, and says so once less is free", () => {
  const space = open();
  disk.bavail = 125;
  const floorBytes = 125 * 4096;
  expect(space.room()).toEqual({ freeBytes: floorBytes, floorBytes, shortage: undefined });
  space.require("bulk", "write", "a message");
  disk.bavail = 124;
  expect(space.room()).toEqual({
    freeBytes: 124 * 4096,
    floorBytes,
    shortage: "The disk of the store has only 496 KiB left. Messages of inboxes and usage are not written.",
  });
  expect(() => space.require("bulk", "write", "a message")).toThrow(/no space left for a message/);
  space.require("upkeep", "write", "the counts");
});

test("a file system that does not report its size bounds nothing", () => {
  const space = open();
  disk.blocks = 0;
  expect(space.room()).toBeUndefined();
  space.require("bulk", "write", "a message");
});
