import { z } from "zod";
import { createCatalog } from "./catalog/catalog.ts";
import { execute } from "./catalog/execute.ts";
import { fromError, type RemoteMessage, type RemoteRequest, toTransfer } from "./catalog/remote.ts";
import type { ToolContext } from "./catalog/tool.ts";
import { withCalls } from "./catalog/with-calls.ts";
import { tools } from "./tools/index.ts";

// Runs tools in the worker of a browser's tab, with the sources of the server. Started by tab-loader.ts.

/** The scope of a worker, for which this project's types are those of Node. */
interface WorkerScope {
  postMessage(message: RemoteMessage, transfer: ArrayBuffer[]): void;
  addEventListener(type: "message", handle: (event: { data: RemoteRequest }) => void): void;
}

// Otherwise it tries to make a function of a string, which the policy of the worker forbids and reports.
z.config({ jitless: true });

const scope = globalThis as unknown as WorkerScope;
const catalog = createCatalog(tools, [], false);
/** A browser fills at most so many bytes at once. */
const maxRandom = 65_536;

const random = (size: number): Uint8Array => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += maxRandom) crypto.getRandomValues(bytes.subarray(at, at + maxRandom));
  return bytes;
};

const context: ToolContext = withCalls({ now: () => Date.now(), random }, catalog.get);

async function answer(request: RemoteRequest): Promise<void> {
  if (request.kind !== "call") return;
  const { call } = request;
  try {
    const { body, ...rest } = await execute(await catalog.get(call.slug), call, context);
    if (typeof body === "string") return scope.postMessage({ kind: "answer", answer: { body, ...rest } }, []);
    const transfer = toTransfer(body);
    scope.postMessage({ kind: "answer", answer: { body, ...rest } }, transfer);
  } catch (error) {
    scope.postMessage(fromError(error), []);
  }
}

scope.addEventListener("message", ({ data }) => void answer(data));
scope.postMessage({ kind: "ready" }, []);
