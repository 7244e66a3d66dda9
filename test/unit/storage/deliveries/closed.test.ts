import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../../support/store.ts";
import { makeEvent } from "./conformance.ts";
import { openOn } from "./file.ts";

/** Files of a folder that this process has open (Linux). */
const openIn = (folder: string): string[] =>
  readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });

test("a closed queue reads no body from its journal, and leaves no file open", async () => {
  const data = makeFolder();
  const { queue } = await openOn(data);
  // Longer than the bodies that are kept in memory.
  const body = JSON.stringify("x".repeat(20_000));
  await queue.add(makeEvent(Date.now(), { body }), ["we_a"]);
  const [delivery] = await queue.list({ limit: 1 });
  const id = delivery?.id ?? "";
  expect((await queue.get(id))?.body).toBe(body);
  await queue.close();
  await expect(queue.get(id)).rejects.toThrow(/closed/);
  if (process.platform === "linux") expect(openIn(join(data, "webhooks"))).toEqual([]);
});
