// A separate process that writes messages of inboxes, to be killed or run out of resources: `inbox.fixture.ts MODE FOLDER`, with the mode
// `fill`, or `load:` and the first number.
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { openFileInbox } from "../../../../src/storage/inbox/file-inbox.ts";
import { StoreError } from "../../../../src/storage/errors.ts";
import type { Kept } from "../../../../src/storage/inbox/inbox-store.ts";
import { testRuntime } from "../../../support/runtime.ts";

// A process that is killed would not keep what it compiled for the next one.
flushCompileCache();

const [mode = "", folder = ""] = process.argv.slice(2);
const [work, start] = mode.split(":");
const say = (...words: (string | number)[]) => writeSync(1, `${words.join(" ")}\n`);
const kept: Kept = { messages: 1_000_000, ms: Number.MAX_SAFE_INTEGER, bytes: Infinity };
const inboxes = [1, 2, 3].map((n) => `in_${String(n).repeat(32)}`);

const store = openFileInbox(folder, {
  runtime: testRuntime({ now: Date.now }),
  maxOpen: 2,
  onError: (error) => say("error", error.reason),
});

async function add(inbox: string, n: number): Promise<void> {
  const body = Buffer.from(`${n} ${"x".repeat((n * 37) % 9000)}`);
  const id = `msg_${n.toString().padStart(8, "0")}-0000-7000-8000-000000000000`;
  const message = {
    id,
    at: Date.now(),
    method: "POST",
    query: "",
    headers: [],
    body,
    signature: "valid",
  } as const;
  const duplicate = await store.add(inbox, { ...message, event: `e${Math.floor(n)}` }, kept);
  say(duplicate ? "again" : "kept", inbox, n);
}

if (work === "load") {
  // Several at once, each to its own inbox and then to the next one: files are begun, closed and reopened.
  await Promise.all(
    Array.from({ length: 6 }, async (_, lane) => {
      for (let n = Number(start) + lane * 100_000; ; n++) {
        const inbox = inboxes[n % 3] as string;
        await add(inbox, n);
        if (n % 5 === 0) await add(inbox, n + 0.5);
      }
    }),
  );
} else {
  for (let n = 0; ; n += 2) {
    try {
      await add(inboxes[0] as string, n);
    } catch (error) {
      say("refused", n, error instanceof StoreError ? error.reason : `no StoreError: ${String(error)}`);
      await sleep(20);
    }
  }
}
