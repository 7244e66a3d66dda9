// A process of its own that opens a store in Redis, to be killed meanwhile: `store-opener.ts open OPTIONS`, which are JSON.
import { randomFillSync } from "node:crypto";
import { writeSync } from "node:fs";
import { openStore } from "../../../../src/storage/storage.ts";
import { testRuntime } from "../../../support/runtime.ts";

const { url, prefix } = JSON.parse(process.argv[3] ?? "") as { url: string; prefix: string };

const say = (line: string) => writeSync(1, `${line}\n`);

const store = await openStore({
  driver: "redis",
  path: "",
  runtime: testRuntime({
    now: () => Date.now(),
    monotonic: () => performance.now(),
    random: (size) => randomFillSync(new Uint8Array(size)),
  }),
  onError: (error) => void say(error.reason),
  redis: {
    url,
    prefix,
    onStoreError: "share",
    isNode: true,
    mayBegin: true,
    onNotice: (_level, text) => void say(text),
    onDegraded: () => {},
  },
});
say("opened");
await store.close();
