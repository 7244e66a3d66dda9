// A process of its own that runs operations on a folder endlessly, to be killed: `audit.fixture.ts FOLDER`.
import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createOperator } from "../../../../src/operations/operator.ts";
import { openStore } from "../../../../src/storage/storage.ts";
import { createOutbox } from "../../../../src/services/webhooks/outbox.ts";
import { testRuntime } from "../../../support/runtime.ts";

// A process that is killed would not keep what it compiled for the next one.
flushCompileCache();

const [path = ""] = process.argv.slice(2);
// Synchronous, so that the line has left the process before anything else happens in it.
const say = (...words: (string | number)[]) => writeSync(1, `${words.join(" ")}\n`);

const now = Date.now;
const store = await openStore({
  driver: "file",
  path,
  runtime: testRuntime({ now }),
  onError: (error) => say("error", error.operation, error.reason),
});
const outbox = createOutbox({
  store,
  options: { enabled: true, allowCidrs: [], encryptionKey: "" },
  runtime: testRuntime({ now, random: randomBytes }),
  onError: (error) => say("error", String(error)),
});
const admin = createOperator({
  store,
  outbox,
  sending: "nowhere",
  runtime: testRuntime({ now, random: randomBytes }),
  maxKeyDays: 0,
});
const caller = { actor: "cli:ops", from: `build-7 pid ${process.pid}` };
const call = (operation: string, args: object) =>
  admin.perform(operation, args, caller) as Promise<{ id: string }>;

if ((await store.accounts.get("acme")) === undefined)
  await call("accounts.create", { name: "acme", plan: "pro" });
say("ready");
for (;;) {
  const { id } = await call("keys.issue", { account: "acme" });
  say("issued", id);
  await call("keys.revoke", { id, reason: "test" });
  say("revoked", id);
}
