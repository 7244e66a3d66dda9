import { readSync, writeSync } from "node:fs";
import { parentPort, Worker } from "node:worker_threads";
import { fromMessage, parseHeader, prefixBytes, readPrefix, toParts, toRequest } from "./catalog/frames.ts";
import type { RemoteMessage, RemotePort, RemoteRequest } from "./catalog/remote.ts";
import { executable } from "./lib/asset.ts";
import { isSandboxed, sandboxWord } from "./lib/sandbox.ts";

// The pipes of a worker process are blocking: while it waits for a request there is nothing else for it to do, and a
// body is read to its place in as few steps as the pipe allows.
const requests = 0;
const answers = 1;

/**
 * Ends the process when the parent is gone, whatever it is busy with: nobody else would stop work that never ends. The
 * parent holds the other end of this pipe and never writes.
 */
const watchdog = `
const { readSync } = process.getBuiltinModule("node:fs");
try { readSync(3, new Uint8Array(1)); } finally { process.kill(process.pid, "SIGKILL"); }`;

/**
 * Opens the connection to the parent or thread that started this worker. Ends a process that can reach more than its
 * pipes.
 */
export function openPort(): RemotePort {
  if (parentPort !== null) return toThreadPort(parentPort);
  confine();
  return {
    send,
    serve(handle) {
      send({ kind: "ready" });
      void serve(handle);
    },
  };
}

const toThreadPort = (port: NonNullable<typeof parentPort>): RemotePort => ({
  send: (message, transfer = []) => port.postMessage(message, transfer),
  serve(handle) {
    port.on("message", (request: RemoteRequest) => void handle(request));
    port.postMessage({ kind: "ready" } satisfies RemoteMessage);
  },
});

async function serve(handle: (request: RemoteRequest) => Promise<void>): Promise<void> {
  // Without a timer Node would exit while a call waits for something that never happens; its deadline ends such a call.
  setInterval(() => undefined, 2 ** 30);
  for (let request = readRequest(); request !== undefined; request = readRequest()) await handle(request);
}

function confine(): void {
  const { permission } = process;
  const open = [
    "fs.write",
    "net",
    "child",
    "wasi",
    "addon",
    "inspector",
    "ffi",
    ...(executable ? ["fs.read"] : []),
  ];
  if (
    permission === undefined ||
    open.some((scope) => permission.has(scope)) ||
    (executable && !isSandboxed(process.env["NODE_OPTIONS"]))
  ) {
    writeSync(2, `penknife: ${sandboxWord} is how penknife starts its own workers; it is not a command.\n`);
    process.exit(2);
  }
  new Worker(watchdog, {
    eval: true,
    env: {},
    execArgv: [],
    // Otherwise this thread would open its own output for the watchdog thread, and the pipes would no longer block.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  }).unref();
  permission.drop("worker");
  // A terminal and systemd send these to the workers as well, and calls that run may still end well: the server decides
  // when a worker ends.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  // The permission model does not cover signals, and the server runs as the same user.
  Reflect.deleteProperty(process, "kill");
  Reflect.deleteProperty(process, "_kill");
  // A library that can be led from a value to its constructor's constructor finds nothing there. V8's own option for it
  // would make it refuse every code cache.
  const functions = [() => {}, async () => {}, function* () {}, async function* () {}];
  for (const one of functions) {
    Object.defineProperty(Object.getPrototypeOf(one), "constructor", { value: undefined });
  }
  // An exit of Node waits for the threads of V8, which may wait for this one: it would hang until the call's deadline.
  process.on("uncaughtException", endWith);
  Reflect.set(process, "exit", (status: number) => endWith(new Error(`It called exit(${status})`)));
}

/** Reports the failure and waits: the parent kills this process, or the watchdog does where the parent is gone. */
function endWith({ message, stack = "" }: Error): void {
  send({ kind: "end", message, stack });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function readRequest(): RemoteRequest | undefined {
  const prefix = read(prefixBytes);
  if (prefix === undefined) return undefined;
  const sizes = readPrefix(prefix);
  const header = read(sizes.header);
  const body = read(sizes.body);
  if (header === undefined || body === undefined) return undefined;
  return toRequest({ header: parseHeader(header), body });
}

/** Reads so many bytes; returns undefined if the parent is gone. */
function read(length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const count = readSync(requests, bytes, at, length - at, null);
    if (count === 0) return undefined;
    at += count;
  }
  return bytes;
}

function send(message: RemoteMessage): void {
  for (const part of toParts(fromMessage(message))) write(part);
}

function write(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(answers, bytes, at, bytes.length - at);
}
