import { randomFillSync } from "node:crypto";
import { platform, setPriority } from "node:os";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createCatalog } from "./catalog/catalog.ts";
import { type Answer, type Call, execute } from "./catalog/execute.ts";
import { fromError, toTransfer } from "./catalog/remote.ts";
import type { ToolContext } from "./catalog/tool.ts";
import { withCalls } from "./catalog/with-calls.ts";
import { tools } from "./tools/index.ts";
import { openPort } from "./worker-port.ts";

const port = openPort();
const catalog = createCatalog(tools, [], false);
const context: ToolContext = withCalls(
  { now: () => Date.now(), random: (size) => randomFillSync(new Uint8Array(size)) },
  catalog.get,
);

/** Bytes of large documents that an idle worker may retain. */
const keptBytes = 48 * 1_048_576;
let collect: (() => void) | undefined;

yieldToEventLoop();
port.serve(async (request) => (request.kind === "call" ? answer(request.call) : tidy()));

async function answer(call: Call): Promise<void> {
  try {
    const { body, ...rest } = await work(call);
    // Half a surrogate pair has no bytes, and the next step of a pipeline is to read it as it is.
    if (call.form === "bytes" && typeof body === "string" && !body.isWellFormed()) {
      return port.send({ kind: "answer", answer: { body, ...rest } });
    }
    // Text becomes bytes here, so that the event loop neither copies nor encodes it.
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    port.send({ kind: "answer", answer: { body: bytes, ...rest } satisfies Answer }, toTransfer(bytes));
  } catch (error) {
    port.send(fromError(error));
  }
}

async function work(call: Call): Promise<Answer> {
  if (call.body.kind !== "pipeline") return execute(await catalog.get(call.slug), call, context);
  const { readEnvelope, toEnvelopeAnswer } = await import("./catalog/pipeline-envelope.ts");
  return toEnvelopeAnswer(await readEnvelope(call.body.bytes, call.body.named ? undefined : catalog.get));
}

/**
 * V8 collects garbage when it allocates, which an idle worker never does: after one large document it would retain some
 * hundred megabytes until the next.
 */
function tidy(): void {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
  if (heap + external <= keptBytes) return;
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as (options: { type: "major"; flavor: "last-resort" }) => void;
    collect = () => gc({ type: "major", flavor: "last-resort" });
  }
  collect();
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
