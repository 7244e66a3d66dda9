import { randomFillSync } from "node:crypto";
import { platform, setPriority } from "node:os";
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

yieldToEventLoop();
port.on("message", (call: Call) => void answer(call));
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
