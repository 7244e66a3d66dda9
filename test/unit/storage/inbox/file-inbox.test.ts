import { describe, expect, onTestFinished, test } from "vitest";
import { openFileInbox } from "../../../../src/storage/inbox/file-inbox.ts";
import { sizeOf } from "../../../../src/storage/inbox/inbox-store.ts";
import { makeFolder } from "../../../support/store.ts";
import { describeInboxStore, inboxId, largeMessage } from "./conformance.ts";
import { testRuntime } from "../../../support/runtime.ts";

describeInboxStore("files", async ({ now }) =>
  openFileInbox(makeFolder(), {
    runtime: testRuntime({ now }),
    onError(error) {
      throw error;
    },
  }),
);

describeInboxStore("files, one inbox open at a time", async ({ now }) =>
  openFileInbox(makeFolder(), {
    runtime: testRuntime({ now }),
    maxOpen: 1,
    onError(error) {
      throw error;
    },
  }),
);

describe("messages left by an earlier process", () => {
  const kept = { messages: 100, ms: 3_600_000, bytes: 1e6 };
  const open = (folder: string, accountOf?: (inbox: string) => Promise<string | undefined>) => {
    const store = openFileInbox(folder, {
      runtime: testRuntime({ now: Date.now }),
      onError(error) {
        throw error;
      },
      ...(accountOf !== undefined && { accountOf }),
    });
    onTestFinished(() => store.close());
    return store;
  };

  test("count for their account and for the store", async () => {
    const folder = makeFolder();
    const [one, two, other] = [inboxId(), inboxId(), inboxId()];
    const before = open(folder);
    for (let n = 0; n < 5; n++) {
      await before.add(one, largeMessage(n), kept);
      await before.add(other, largeMessage(10 + n), kept);
    }
    await before.close();
    const size = sizeOf(largeMessage(10));
    const room = { account: "acme", accountBytes: 7 * size, storeBytes: 12 * size };
    const after = open(folder, async (inbox) => (inbox === one ? "acme" : "else"));
    for (let n = 20; n < 21; n++) expect(await after.add(two, largeMessage(n), kept, room)).toBe(false);
    await expect(after.add(two, largeMessage(30), kept, room)).rejects.toMatchObject({
      code: "quota_exceeded",
    });
    const rich = { ...room, account: "rich", accountBytes: 1e6 };
    await expect(after.add(inboxId(), largeMessage(31), kept, rich)).rejects.toMatchObject({
      code: "overloaded",
    });
    await after.remove(other);
    expect(await after.add(inboxId(), largeMessage(32), kept, rich)).toBe(false);
  });
});
