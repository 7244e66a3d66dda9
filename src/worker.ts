import { randomFillSync } from "node:crypto";
import { platform, setPriority } from "node:os";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort } from "node:worker_threads";
import { createCatalog } from "./catalog/catalog.ts";
import { type Answer, type Call, execute } from "./catalog/execute.ts";
import { fromError, type RemoteMessage, toTransfer } from "./catalog/remote.ts";
import type { ToolContext } from "./catalog/tool.ts";
import { tools } from "./tools/index.ts";

if (parentPort === null) throw new Error("This file is the entry of a worker thread");
const port = parentPort;
const catalog = createCatalog(tools);
const context: ToolContext = {
  now: () => Date.now(),
  random: (size) => randomFillSync(new Uint8Array(size)),
};

/** What a thread may keep of a large document, in bytes, while it has nothing to do. */
const keptBytes = 48 * 1_048_576;
/** Milliseconds without a call after which it is tidied. */
const quietMs = 1000;
let tidying: NodeJS.Timeout | undefined;
let collect: (() => void) | undefined;

yieldToEventLoop();
port.on("message", (call: Call) => {
  clearTimeout(tidying);
  void answer(call).finally(tidySoon);
});
send({ kind: "ready" });

async function answer(call: Call): Promise<void> {
  try {
    const { body, ...rest } = await work(call);
    // Half a surrogate pair has no bytes, and the next step of a pipeline is to read it as it is.
    if (call.form === "bytes" && typeof body === "string" && !body.isWellFormed()) {
      return send({ kind: "answer", answer: { body, ...rest } });
    }
    // Text becomes bytes here, so that the event loop neither copies nor encodes it.
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    send({ kind: "answer", answer: { body: bytes, ...rest } satisfies Answer }, toTransfer(bytes));
  } catch (error) {
    send(fromError(error));
  }
}

async function work(call: Call): Promise<Answer> {
  if (call.body.kind !== "pipeline") return execute(await catalog.get(call.slug), call, context);
  const { readEnvelope, toEnvelopeAnswer } = await import("./catalog/pipeline-envelope.ts");
  return toEnvelopeAnswer(await readEnvelope(call.body.bytes, call.body.named ? undefined : catalog.get));
}

function send(message: RemoteMessage, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

/**
 * V8 collects garbage when it needs room, which a thread with nothing to do never does: one large document, and some
 * hundred megabytes would be held for nobody until the next one.
 */
function tidySoon(): void {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
  if (heap + external <= keptBytes) return;
  tidying = setTimeout(() => {
    if (collect === undefined) {
      setFlagsFromString("--expose-gc");
      const gc = runInNewContext("gc") as (options: { type: "major"; flavor: "last-resort" }) => void;
      collect = () => gc({ type: "major", flavor: "last-resort" });
    }
    collect();
  }, quietMs).unref();
}

/**
 * Where cores are few, the thread that answers small requests goes first. On Linux the priority of "0" is
 * this thread's alone.
 */
function yieldToEventLoop(): void {
  if (platform() !== "linux") return;
  try {
    setPriority(0, 10);
  } catch {
    // A sandbox may forbid it; then all threads are equal.
  }
}
